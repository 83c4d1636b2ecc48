package org.treerename.stack;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition. The only class here that reads a clock or sleeps. */
final class Poll {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Poll() {}

    /**
     * Whether {@code condition} became true before {@code timeout} had passed; it is asked at least once.
     *
     * @throws InterruptedException when the calling thread is interrupted
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
