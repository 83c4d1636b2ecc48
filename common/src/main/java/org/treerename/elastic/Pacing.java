package org.treerename.elastic;

import java.util.function.LongSupplier;

/**
 * Decides when the next group of a {@link GroupCommit} may begin. After a group of several members, the next group
 * waits as long as the previous group took. Otherwise the next group begins at once. So under load, requests are in
 * progress for at most half of the time, and groups become larger. A single thread never waits. The caller must
 * synchronize all calls.
 */
final class Pacing {

    private final LongSupplier nanos;
    private final boolean isOn;
    private long freeNanos;

    /**
     * Allows the first group to begin at once.
     *
     * @param nanos a monotonic clock
     * @param isOn whether groups are delayed; if false, each group begins at once
     */
    Pacing(LongSupplier nanos, boolean isOn) {
        this.nanos = nanos;
        this.isOn = isOn;
        this.freeNanos = nanos.getAsLong();
    }

    long now() {
        return nanos.getAsLong();
    }

    /** Records that a group has just ended. */
    void ended(long begunNanos, int members) {
        long now = nanos.getAsLong();
        freeNanos = isOn && members > 1 ? now + (now - begunNanos) : now;
    }

    /**
     * Returns the number of nanoseconds until the next group may begin. If the number is not positive, the group may
     * begin at once.
     */
    long pauseNanos() {
        return isOn ? freeNanos - nanos.getAsLong() : 0;
    }
}
