package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;

/** The only way to read a clock or to wait. */
public interface Time {

    /** The wall clock, for showing, and for what must not miss that the machine was suspended. */
    Instant now();

    /** A monotonic clock in nanoseconds, for measuring; it has no relation to {@link #now}. */
    long nanos();

    /** Waits. An interrupt ends it at once, and the thread's interrupt flag stays set. */
    void pause(Duration length);

    /** Steps of a wait in a time that only knows pauses. */
    Duration STEP = Duration.ofMillis(5);

    /**
     * Waits for a wake-up.
     *
     * @return whether it came within that time
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
