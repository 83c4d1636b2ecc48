package org.treerename.simulation.schedule;

/**
 * Ends a wait of a task, unless the wait has already ended. If the actor of the task is frozen, the wait ends at the
 * end of the freeze or later.
 */
final class Waker implements Runnable {

    private static final double WAKES_LATE = 0.5;
    private static final long LATEST_WAKE_NANOS = 400_000_000;

    private final Scheduler scheduler;
    private final Chance chance;
    private final Task task;
    private final long ticket;

    /**
     * @param ticket the number of the wait that this object may end
     */
    Waker(Scheduler scheduler, Chance chance, Task task, long ticket) {
        this.scheduler = scheduler;
        this.chance = chance;
        this.task = task;
        this.ticket = ticket;
    }

    @Override
    public void run() {
        Actor actor = task.actor();
        if (task.isDone() || task.ticket() != ticket || !actor.isAlive()) {
            return;
        }
        long frozenNanos = actor.frozenUntilNanos() - scheduler.nowNanos();
        if (frozenNanos > 0) {
            // the threads of a frozen process do not all continue at the same moment
            long late = chance.happens(WAKES_LATE) ? chance.between(0, LATEST_WAKE_NANOS) : 0;
            scheduler.after(frozenNanos + late, this);
        } else {
            scheduler.wake(task);
        }
    }
}
