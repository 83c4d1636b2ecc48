package org.treerename.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Since when an observer's own conditional writes on the control index have succeeded without a gap. While they did not, the
 * silence of others says nothing about them: Elasticsearch itself may have stood still. Any thread may call it.
 */
public final class OwnWrites {

    private static final Duration KEPT = Lease.LONGEST.multipliedBy(2);

    /** When writes were acknowledged, the newest first. */
    private final Deque<Long> acknowledgedNanos = new ArrayDeque<>();

    public synchronized void acknowledged(long nanos) {
        acknowledgedNanos.addFirst(nanos);
        while (nanos - acknowledgedNanos.getLast() > KEPT.toNanos()) {
            acknowledgedNanos.removeLast();
        }
    }

    /**
     * Whether, from then until now, no two acknowledged writes lay further apart than the longest gap.
     *
     * @param sinceNanos a write must have been acknowledged at or before it
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
