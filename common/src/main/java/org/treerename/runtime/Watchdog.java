package org.treerename.runtime;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Finds a thread that is stuck although its process is alive: something is under way, and nothing has moved for long. Any
 * thread may call it.
 */
public final class Watchdog {

    private final Time time;
    private final Duration patience;
    private final BooleanSupplier heldUp;
    private volatile long movedNanos;
    private volatile boolean busy;

    /**
     * @param patience longer than any single request to a server may take
     * @param heldUp whether nothing may move now, for a reason that is known; then nothing is stuck, and afterwards the patience
     *     begins anew
     */
    public Watchdog(Time time, Duration patience, BooleanSupplier heldUp) {
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("a watchdog's patience is positive, found " + patience);
        }
        this.time = time;
        this.patience = patience;
        this.heldUp = heldUp;
        this.movedNanos = time.nanos();
    }

    /** Something is under way from now on. */
    public void begin() {
        moved();
        busy = true;
    }

    public void end() {
        busy = false;
    }

    /** It goes on. */
    public void moved() {
        movedNanos = time.nanos();
    }

    public boolean isStuck() {
        if (heldUp.getAsBoolean()) {
            moved();
        }
        return busy && time.nanos() - movedNanos > patience.toNanos();
    }
}
