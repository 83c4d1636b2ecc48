package org.treerename.janitor.recovery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.treerename.process.Lease;

/**
 * The times at which the control index acknowledged the conditional writes of an observer. While the observer's own
 * writes fail, a missing heartbeat of another process proves nothing, because Elasticsearch itself may be unavailable.
 * Any thread may call this class.
 */
public final class OwnWrites {

    private static final Duration KEPT = Lease.LONGEST.multipliedBy(2);

    /** The times of acknowledged writes, the newest first. */
    private final Deque<Long> acknowledgedNanos = new ArrayDeque<>();

    public synchronized void acknowledged(long nanos) {
        acknowledgedNanos.addFirst(nanos);
        while (nanos - acknowledgedNanos.getLast() > KEPT.toNanos()) {
            acknowledgedNanos.removeLast();
        }
    }

    /**
     * Returns whether the writes succeeded from the given time until now. The writes succeeded if no gap between two
     * acknowledged writes is longer than {@code longestGap}.
     *
     * @param sinceNanos the given time; a write must have been acknowledged at this time or before
     */
    public synchronized boolean succeededSince(long sinceNanos, long nowNanos, Duration longestGap) {
        long later = nowNanos;
        for (Iterator<Long> it = acknowledgedNanos.iterator(); it.hasNext(); ) {
            long at = it.next();
            if (later - at > longestGap.toNanos()) {
                return false;
            }
            if (at <= sinceNanos) {
                return true;
            }
            later = at;
        }
        return false;
    }
}
