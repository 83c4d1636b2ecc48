package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;

/** Reads the clocks and waits. Tests use an implementation with a simulated clock. */
public interface Time {

    /** Returns the wall clock time. The wall clock is used for display, and to detect a suspension of the machine. */
    Instant now();

    /**
     * Returns the time on the monotonic clock in nanoseconds. This time is used to measure durations. The monotonic
     * clock has no relation to {@link #now}.
     */
    long nanos();

    /** Waits. An interrupt ends the wait at once, and the thread's interrupt flag remains set. */
    void pause(Duration length);

    /** The polling interval of the default implementation of {@link #await}. */
    Duration STEP = Duration.ofMillis(5);

    /**
     * Waits for a wake-up.
     *
     * @return whether the wake-up came before the time {@code most} was over
     */
    default boolean await(Wake wake, Duration most) {
        long begin = nanos();
        while (!wake.poll()) {
            Duration left = most.minusNanos(nanos() - begin);
            if (!left.isPositive() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            pause(left.compareTo(STEP) < 0 ? left : STEP);
        }
        return true;
    }
}
