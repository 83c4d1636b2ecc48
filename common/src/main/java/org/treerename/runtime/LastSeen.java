package org.treerename.runtime;

import java.time.Duration;
import java.util.Optional;

/** The time at which a repeated event last occurred. Any thread may call this class. */
public final class LastSeen {

    private final Time time;
    private volatile long lastNanos;

    /** Records the present time as the first time of the event. */
    public LastSeen(Time time) {
        this.time = time;
        this.lastNanos = time.nanos();
    }

    public void beat() {
        at(time.nanos());
    }

    /**
     * Records that the event occurred at the given time.
     *
     * @param nanos the time on the monotonic clock
     */
    public void at(long nanos) {
        lastNanos = nanos;
    }

    public Duration age() {
        return Duration.ofNanos(time.nanos() - lastNanos);
    }

    /** Returns a check that fails if more time than the limit has passed since the last event. */
    public Health.Check within(Duration limit, String event) {
        return () -> {
            Duration age = age();
            return age.compareTo(limit) <= 0
                    ? Optional.empty()
                    : Optional.of(
                            event + " " + age.toMillis() + " ms ago, expected within " + limit.toMillis() + " ms");
        };
    }
}
