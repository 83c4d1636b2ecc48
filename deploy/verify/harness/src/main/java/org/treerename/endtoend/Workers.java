package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.treerename.stack.ChildProcess;

/** Starts, freezes and stops real worker processes. Each process has its own JVM. */
final class Workers implements AutoCloseable {

    private static final String GROUP = "--group-id=";

    private final Services services;

    private Workers(Services services) {
        this.services = services;
    }

    /**
     * Starts workers and blocks until each worker is live. Without the option {@code --group-id}, the workers use a new
     * consumer group, which begins at the end of the request topic.
     *
     * @param options the options of each worker, in addition to the addresses of the servers
     */
    static Workers start(int count, String... options) {
        return start(Program.WORKER, count, options);
    }

    /**
     * Starts workers as {@link #start} does. These workers are instrumented and log every step. One option can set a
     * crash point.
     */
    static Workers instrumented(int count, String... options) {
        return start(Program.INSTRUMENTED_WORKER, count, options);
    }

    private static Workers start(String mainClass, int count, String... options) {
        List<String> all = new ArrayList<>(Arrays.asList(options));
        if (all.stream().noneMatch(option -> option.startsWith(GROUP))) {
            all.add(Group.atTheEndOfTheLog().option());
        }
        return new Workers(Services.start("worker", mainClass, count, all));
    }

    List<ChildProcess> processes() {
        return services.processes();
    }

    /** Sends an HTTP request to the first worker, and returns the response. */
    HttpResponse<String> get(String path) {
        return services.get(path);
    }

    /** Blocks until each worker is frozen. */
    void awaitFrozen() {
        Awaitility.await("all workers are frozen")
                .atMost(Log.PATIENCE)
                .until(() -> processes().stream().allMatch(Workers::isFrozen));
    }

    /** In /proc/PID/stat, the state is the field after the name of the program, and T means stopped. */
    private static boolean isFrozen(ChildProcess process) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGCONT to all frozen workers, so that they continue. */
    void wake() throws IOException, InterruptedException {
        for (ChildProcess process : processes()) {
            assertThat(new ProcessBuilder("kill", "-CONT", String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    /** Returns the first process id of each worker. */
    Set<String> ids() {
        return services.ids();
    }

    /**
     * Returns the process ids that workers received after a fence. The first process id of each worker is not included.
     */
    Set<String> reborn() {
        return services.reborn();
    }

    /** Stops all workers gracefully, and waits for their end. */
    @Override
    public void close() {
        services.close();
    }
}
