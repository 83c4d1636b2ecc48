package org.treerename.producer.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, or any other signal that ends the process, turned into a request to come to an end: the process ends with the
 * exit code of what was under way, once that has said its last word.
 */
final class Interruption {

    /** Who has not come to an end by then is cut off. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "interruption");
    private volatile boolean requested;
    private volatile int exitCode = ExitCodes.INTERRUPTED;

    /** From now on signals are heard. */
    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** As a signal does. */
    void request() {
        requested = true;
    }

    boolean isRequested() {
        return requested;
    }

    /** All has been said; where a signal has come, the process ends now. */
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
            // a signal came at the last moment: the hook ends the process with this code
        }
    }

    private void end() {
        request();
        try {
            var unused = ended.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }
}
