package org.treerename.process;

import java.time.Duration;
import org.treerename.runtime.Durations;

/**
 * The time without a heartbeat after which other processes treat a process as dead.
 *
 * @param length the length of the lease, at least {@link #SHORTEST} and at most {@link #LONGEST}
 */
public record Lease(Duration length) {

    public static final Duration SHORTEST = Duration.ofMillis(500);
    public static final Duration LONGEST = Duration.ofHours(1);
    private static final int HEARTBEATS = 4;
    private static final int TIME_OUTS = 3;

    public Lease {
        if (length.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "a lease must be at least " + Durations.text(SHORTEST) + " long, found " + Durations.text(length));
        }
        if (length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a lease must be at most " + Durations.text(LONGEST) + " long, found " + Durations.text(length));
        }
    }

    /** Returns the time from the start of one heartbeat to the start of the next heartbeat. */
    public Duration heartbeatEvery() {
        return length.dividedBy(HEARTBEATS);
    }

    /** Returns the time without an acknowledged heartbeat after which a process starts no new work. */
    public Duration doubtAfter() {
        return length.dividedBy(2);
    }

    /** Returns the timeout of one heartbeat. */
    public Duration heartbeatTimeout() {
        return length.dividedBy(TIME_OUTS);
    }
}
