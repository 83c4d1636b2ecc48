package org.treerename.simulation;

import org.jspecify.annotations.Nullable;
import org.treerename.simulation.schedule.Scheduler;

/** Suspends one task until an event raises the signal. */
final class Signal {

    private final Scheduler scheduler;
    private @Nullable Runnable waiting;

    Signal(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Suspends the current task until the next {@link #raise}. */
    void await() {
        scheduler.suspend(wake -> waiting = wake);
    }

    /** Wakes the task that waits. Does nothing if no task waits. */
    void raise() {
        Runnable wake = waiting;
        if (wake != null) {
            waiting = null;
            scheduler.after(0, wake);
        }
    }
}
