package org.treerename.elastic;

import java.util.function.LongSupplier;

/**
 * Decides when the next group may begin. After a group of several members, the next group waits as long as that group took. Otherwise it begins
 * at once. So under load, groups take at most half of the time and become larger, and a single thread never waits. The owner synchronizes the
 * access.
 */
final class Pacing {

    private final LongSupplier nanos;
    private final boolean isOn;
    private long freeNanos;

    /**
     * Creates a pacing. The first group begins at once.
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

    /** Records a group that ends now. */
    void ended(long begunNanos, int members) {
        long now = nanos.getAsLong();
        freeNanos = isOn && members > 1 ? now + (now - begunNanos) : now;
    }

    /** Returns the nanoseconds for which the next group must wait; if not positive, it may begin at once. */
    long pauseNanos() {
        return isOn ? freeNanos - nanos.getAsLong() : 0;
    }
}
