package org.treerename.runtime;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a stuck thread of a live process. A thread is stuck if its work has made no progress for too long. Any thread
 * may call this class.
 */
public final class Watchdog {

    /** The time of the last progress of one thread's work. */
    private static final class Watch {
        private volatile long movedNanos;
    }

    private static final ThreadLocal<@Nullable Watch> OWN = new ThreadLocal<>();

    private final Time time;
    private final Duration patience;
    private final BooleanSupplier heldUp;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    /**
     * @param patience the time without progress after which work is treated as stuck. It must be longer than the
     *     maximum time of one request to a server
     * @param heldUp whether a known reason prevents progress now. While this is true, no work is treated as stuck. When
     *     this is no longer true, the time without progress starts at zero
     */
    public Watchdog(Time time, Duration patience, BooleanSupplier heldUp) {
        if (!patience.isPositive()) {
            throw new IllegalArgumentException(
                    "the patience of a watchdog must be greater than 0, was " + Durations.text(patience));
        }
        this.time = time;
        this.patience = patience;
        this.heldUp = heldUp;
    }

    /** Runs the work on this thread and watches it. Other work of this thread is not watched. */
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

    /** Runs work without a result on this thread, and watches it. */
    public void watch(Runnable work) {
        watch(() -> {
            work.run();
            return true;
        });
    }

    /** Records progress of the work of this thread, if that work is watched. */
    public void moved() {
        Watch watch = OWN.get();
        if (watch != null) {
            watch.movedNanos = time.nanos();
        }
    }

    /** Returns whether any work is stuck. */
    public boolean isStuck() {
        long now = time.nanos();
        if (heldUp.getAsBoolean()) {
            watches.forEach(watch -> watch.movedNanos = now);
        }
        return watches.stream().anyMatch(watch -> now - watch.movedNanos > patience.toNanos());
    }
}
