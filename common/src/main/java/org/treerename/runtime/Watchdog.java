package org.treerename.runtime;

import java.time.Duration;

/**
 * Finds a thread that is stuck although its process is alive: something is under way, and nothing has moved for long. Any
 * thread may call it.
 */
public final class Watchdog {

    private final Time time;
    private final Duration patience;
    private volatile long movedNanos;
    private volatile boolean busy;

    /**
     * @param patience longer than any single request to a server may take
     */
    public Watchdog(Time time, Duration patience) {
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("a watchdog's patience is positive, found " + patience);
        }
        this.time = time;
        this.patience = patience;
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
        return busy && time.nanos() - movedNanos > patience.toNanos();
    }
}
