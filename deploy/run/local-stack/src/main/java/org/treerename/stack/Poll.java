package org.treerename.stack;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Checks a condition repeatedly until the condition is true or a timeout has passed. Only this class of the package
 * reads a clock or sleeps.
 */
final class Poll {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Poll() {}

    /**
     * Returns whether {@code condition} became true before the timeout. Checks the condition at least once.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    static boolean until(Duration timeout, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start >= timeout.toNanos()) {
                return false;
            }
            Thread.sleep(PAUSE);
        }
        return true;
    }
}
