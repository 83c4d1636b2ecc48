package org.treerename.process;

import java.time.Duration;

/**
 * How long a process may be silent before others may take it for dead.
 *
 * @param length at least {@link #SHORTEST}
 */
public record Lease(Duration length) {

    public static final Duration SHORTEST = Duration.ofMillis(500);
    private static final int HEARTBEATS = 4;
    private static final int TIME_OUTS = 3;

    public Lease {
        if (length.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("a lease is at least " + SHORTEST + " long, found " + length);
        }
    }

    /** From the beginning of one heartbeat to that of the next. */
    public Duration heartbeatEvery() {
        return length.dividedBy(HEARTBEATS);
    }

    /** How long one heartbeat waits for its answer. */
    public Duration heartbeatTimeout() {
        return length.dividedBy(TIME_OUTS);
    }
}
