package org.treerename.runtime;

import java.time.Duration;
import java.util.Optional;

/** The last time of an event that occurs again and again. Any thread may call this class. */
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

    /** Returns a check that fails if the event last occurred longer ago than the limit. */
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
