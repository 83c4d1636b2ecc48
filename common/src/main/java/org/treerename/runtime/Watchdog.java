package org.treerename.runtime;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds a thread that is stuck although its process is alive: it has work, and nothing of it has moved for long. Any thread
 * may call it.
 */
public final class Watchdog {

    /** When one thread's work has moved last. */
    private static final class Watch {
        private volatile long movedNanos;
    }

    /** Of the work that a thread has now. */
    private static final ThreadLocal<@Nullable Watch> OWN = new ThreadLocal<>();

    private final Time time;
    private final Duration patience;
    private final BooleanSupplier heldUp;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

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
    }

    /** Does the work on this thread, watched; nothing else of this thread is. */
    public <T> T watch(Supplier<T> work) {
        Watch watch = new Watch();
        watch.movedNanos = time.nanos();
        OWN.set(watch);
        watches.add(watch);
        try {
            return work.get();
        } finally {
            watches.remove(watch);
            OWN.remove();
        }
    }

    /** The same of work that gives nothing back. */
    public void watch(Runnable work) {
        watch(() -> {
            work.run();
            return true;
        });
    }

    /** What this thread does goes on. */
    public void moved() {
        Watch watch = OWN.get();
        if (watch != null) {
            watch.movedNanos = time.nanos();
        }
    }

    /** Whether any of the work is. */
    public boolean isStuck() {
        long now = time.nanos();
        if (heldUp.getAsBoolean()) {
            watches.forEach(watch -> watch.movedNanos = now);
        }
        return watches.stream().anyMatch(watch -> now - watch.movedNanos > patience.toNanos());
    }
}
