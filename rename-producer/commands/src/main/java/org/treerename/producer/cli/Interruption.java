package org.treerename.producer.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C, or any other signal that ends the process, into a request to stop. The process ends after the command
 * has printed its result. If the signal has stopped the command, the exit code is the code of the signal: 130 for
 * SIGINT, 143 for SIGTERM. If the command has ended before it detected the signal, the exit code is the code of the
 * command.
 */
final class Interruption {

    /** The longest time from the signal to the end of the process. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "interruption");
    private volatile boolean requested;
    private volatile int exitCode = ExitCodes.INTERRUPTED;

    /** Registers the shutdown hook. */
    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Requests the stop. A signal has the same effect. */
    void request() {
        requested = true;
    }

    boolean isRequested() {
        return requested;
    }

    /**
     * Must be called after the last output of the command. If a signal has arrived, the shutdown hook now ends the
     * process.
     */
    void end(int code) {
        exitCode = code;
        ended.countDown();
        if (!requested) {
            withdraw();
        }
    }

    private void withdraw() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // a signal arrived just now; the shutdown hook ends the process
        }
    }

    private void end() {
        request();
        try {
            var unused = ended.await(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (exitCode != ExitCodes.INTERRUPTED) {
            Runtime.getRuntime().halt(exitCode);
        }
        // if the exit code is INTERRUPTED, the Java virtual machine ends with the code of the signal
    }
}
