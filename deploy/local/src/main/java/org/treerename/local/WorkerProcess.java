package org.treerename.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;

/** One worker of a local stack, in a process of its own. */
record WorkerProcess(int number, ChildProcess process, Path log) {

    private static final String MAIN = "org.treerename.worker.Main";
    private static final String HEAP = "-Xmx256m";

    /** Short: what it has under way is of no use to anybody when the servers end with it. */
    private static final Duration ORDERLY_END = Duration.ofSeconds(5);

    private static final Duration NO_TIME = Duration.ofSeconds(5);

    static WorkerProcess start(int number, RunningStack.Settings settings, String kafka, String elasticsearch) {
        Path log = settings.data().resolve("worker-" + number + ".log");
        try {
            ChildProcess process = JavaCommand.of(MAIN, System.getProperty("java.class.path"), log)
                    .jvmOptions(HEAP, "-Dfile.encoding=UTF-8")
                    .arguments(
                            "--kafka-bootstrap-servers=" + kafka,
                            "--elasticsearch-url=" + elasticsearch,
                            "--group-id=" + RunningStack.GROUP,
                            "--lease=" + settings.lease().toMillis() + "ms",
                            "--lock-wait=" + settings.lockWait().toMillis() + "ms")
                    .start();
            return new WorkerProcess(number, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException("worker " + number + " cannot be started", e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Of one that has ended. */
    int exitCode() {
        return process.waitFor(NO_TIME);
    }

    void onEnd(Consumer<WorkerProcess> told) {
        ProcessHandle.of(pid())
                .ifPresentOrElse(
                        handle -> {
                            var unused = handle.onExit().thenRun(() -> told.accept(this));
                        },
                        () -> told.accept(this));
    }

    void stop() {
        process.stop(ORDERLY_END);
    }

    @Override
    public String toString() {
        return "worker " + number + " (pid " + pid() + ")";
    }
}
