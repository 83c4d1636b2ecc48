package org.treerename.elastic;

import java.util.function.LongSupplier;

/**
 * Decides when the next group may begin: at once, or after a group of several members no sooner than that group took. So under load
 * at most half of the time is spent on groups, which become larger, and a thread that is alone never waits. Its owner locks it.
 */
final class Pacing {

    private final LongSupplier nanos;
    private final boolean isOn;
    private long freeNanos;

    /**
     * Creates one by which the first group begins at once.
     *
     * @param nanos a monotonic clock
     * @param isOn whether it ever delays a group
     */
    Pacing(LongSupplier nanos, boolean isOn) {
        this.nanos = nanos;
        this.isOn = isOn;
        this.freeNanos = nanos.getAsLong();
    }

    long now() {
        return nanos.getAsLong();
    }

    /** Takes note of a group that has ended now. */
    void ended(long begunNanos, int members) {
        long now = nanos.getAsLong();
        freeNanos = isOn && members > 1 ? now + (now - begunNanos) : now;
    }

    /** For how many nanoseconds the next group has to wait; none if that is not positive. */
    long pauseNanos() {
        return isOn ? freeNanos - nanos.getAsLong() : 0;
    }
}
