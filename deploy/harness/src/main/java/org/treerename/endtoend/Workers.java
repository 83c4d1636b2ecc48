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

/** Real worker processes, each a JVM of its own. */
final class Workers implements AutoCloseable {

    private static final String GROUP = "--group-id=";

    private final Services services;

    private Workers(Services services) {
        this.services = services;
    }

    /**
     * Starts them and waits until each is live. Without {@code --group-id} they have a consumer group of their own, which
     * begins at the end of the log.
     *
     * @param options of each worker, on top of where the servers are
     */
    static Workers start(int count, String... options) {
        List<String> all = new ArrayList<>(Arrays.asList(options));
        if (all.stream().noneMatch(option -> option.startsWith(GROUP))) {
            all.add(Group.atTheEndOfTheLog().option());
        }
        return new Workers(Services.start("worker", "org.treerename.worker.Main", count, all));
    }

    List<ChildProcess> processes() {
        return services.processes();
    }

    /** What the first of them answers over HTTP. */
    HttpResponse<String> get(String path) {
        return services.get(path);
    }

    /** Comes back when each of them is frozen. */
    void awaitFrozen() {
        Awaitility.await("they are frozen")
                .atMost(Log.PATIENCE)
                .until(() -> processes().stream().allMatch(Workers::isFrozen));
    }

    /** As Linux tells it, behind the name of the program. */
    private static boolean isFrozen(ChildProcess process) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets all go on that are frozen. */
    void wake() throws IOException, InterruptedException {
        for (ChildProcess process : processes()) {
            assertThat(new ProcessBuilder("kill", "-CONT", String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    /** The process ids under which they began. */
    Set<String> ids() {
        return services.ids();
    }

    /** The process ids under which they began anew, after they were fenced. */
    Set<String> reborn() {
        return services.reborn();
    }

    /** Asks all to stop, and waits for it. */
    @Override
    public void close() {
        services.close();
    }
}
