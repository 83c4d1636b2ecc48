package org.treerename.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes a thread that waits in {@link Time#await}. A wake-up before the wait is not lost. Any thread may call {@link
 * #wake}. Only one thread may wait.
 */
public final class Wake {

    private final Semaphore permits = new Semaphore(0);

    public void wake() {
        permits.release();
    }

    /** Returns whether there was a wake-up since the last wait. */
    public boolean poll() {
        return permits.drainPermits() > 0;
    }

    /**
     * Blocks the calling thread until a wake-up, but at most for the given time. An interrupt ends the wait at once,
     * and the interrupt flag remains set.
     */
    boolean block(Duration most) {
        try {
            boolean woken = permits.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS);
            return poll() || woken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
