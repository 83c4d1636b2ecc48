package org.treerename.runtime;

import java.time.Duration;
import java.util.Optional;

/** When something that is done again and again was done last. Any thread may call it. */
public final class LastSeen {

    private final Time time;
    private volatile long lastNanos;

    /** The first time is now. */
    public LastSeen(Time time) {
        this.time = time;
        this.lastNanos = time.nanos();
    }

    public void beat() {
        at(time.nanos());
    }

    /**
     * It was done then.
     *
     * @param nanos on the monotonic clock
     */
    public void at(long nanos) {
        lastNanos = nanos;
    }

    public Duration age() {
        return Duration.ofNanos(time.nanos() - lastNanos);
    }

    /** Fails where the last time is longer ago. */
    public Health.Check within(Duration limit, String what) {
        return () -> {
            Duration age = age();
            return age.compareTo(limit) <= 0
                    ? Optional.empty()
                    : Optional.of(what + " " + age.toMillis() + " ms ago, expected within " + limit.toMillis() + " ms");
        };
    }
}
