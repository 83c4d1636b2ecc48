package org.treerename.process;

import java.time.Duration;

/**
 * How long a process may be silent before others may take it for dead.
 *
 * @param length at least {@link #SHORTEST}, at most {@link #LONGEST}
 */
public record Lease(Duration length) {

    public static final Duration SHORTEST = Duration.ofMillis(500);
    public static final Duration LONGEST = Duration.ofHours(1);
    private static final int HEARTBEATS = 4;
    private static final int TIME_OUTS = 3;

    public Lease {
        if (length.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("a lease is at least " + SHORTEST + " long, found " + length);
        }
        if (length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease is at most " + LONGEST + " long, found " + length);
        }
    }

    /** From the beginning of one heartbeat to that of the next. */
    public Duration heartbeatEvery() {
        return length.dividedBy(HEARTBEATS);
    }

    /** After how long without an acknowledged heartbeat a process begins nothing new. */
    public Duration doubtAfter() {
        return length.dividedBy(2);
    }

    /** How long one heartbeat waits for its answer. */
    public Duration heartbeatTimeout() {
        return length.dividedBy(TIME_OUTS);
    }
}
