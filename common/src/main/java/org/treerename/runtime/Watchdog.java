package org.treerename.runtime;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds a thread that is stuck although its process is alive: it has work, and nothing of it has moved for long. Any thread
 * may call it.
 */
public final class Watchdog {

    /** When one thread's work has moved last; written by that thread. */
    private static final class Watch {
        private volatile long movedNanos;
    }

    /** Of the work that a thread has now. */
    private static final ThreadLocal<@Nullable Watch> OWN = new ThreadLocal<>();

    private final Time time;
    private final Duration patience;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    /**
     * @param patience longer than any single request to a server may take
     */
    public Watchdog(Time time, Duration patience) {
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("a watchdog's patience is positive, found " + patience);
        }
        this.time = time;
        this.patience = patience;
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
        return watches.stream().anyMatch(watch -> now - watch.movedNanos > patience.toNanos());
    }
}
