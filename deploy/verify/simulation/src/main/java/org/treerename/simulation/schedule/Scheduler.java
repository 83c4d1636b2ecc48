package org.treerename.simulation.schedule;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Controls the time and the order of all tasks. Events run one after the other at their times. Events of the same time
 * run in a random order. A task that an event wakes runs until it waits again or ends.
 *
 * <p>The thread of the scheduler is the thread that created it. Only this thread and the tasks call the scheduler. Only
 * one thread runs at a time. A switch between two threads costs more than most events. So when a task begins to wait,
 * its thread runs the next events until an event wakes a task. If the event wakes another task, the thread passes the
 * {@link Turn} directly to that task. Only the thread of the scheduler runs events that may kill an actor, because a
 * killed thread must not run an event.
 */
public final class Scheduler {

    private final Chance chance;
    private final Consumer<Throwable> failed;
    private final Events events;
    private final Turn own = Turn.ofThisThread();
    private @Nullable Task current;

    /** The task that the current event wakes. The task runs at the end of the event. */
    private @Nullable Task woken;

    private boolean isKilling;
    private BooleanSupplier goesOn = () -> false;

    /** The value of {@link #goesOn} after the last event; null if this condition was not evaluated after that event. */
    private @Nullable Boolean answer;

    /** The exception that an event threw on the thread of a task. */
    private @Nullable Throwable broken;

    /**
     * @param failed receives the exception that ended a task, unless it is a {@link Crash}
     */
    public Scheduler(Chance chance, Consumer<Throwable> failed) {
        this.chance = chance;
        this.events = new Events(chance);
        this.failed = failed;
    }

    public long nowNanos() {
        return events.nowNanos();
    }

    /** Returns the number of events that have run. */
    public long steps() {
        return events.count();
    }

    public Actor actor(String name, double rate, long offsetNanos) {
        return new Actor(name, rate, offsetNanos);
    }

    /** Returns the task that runs now. */
    public Task current() {
        return Objects.requireNonNull(current, "expected a running task, found none");
    }

    public void after(long nanos, Runnable event) {
        events.add(nanos, event, !(event instanceof Waker));
    }

    /**
     * Schedules an event that kills no actor. An event of this kind costs less than an event of {@link #after}. The
     * event may wake one task, which runs after the event.
     */
    public void afterWithoutKill(long nanos, Runnable event) {
        events.add(nanos, event, false);
    }

    /** Makes a task run at the end of the current event. */
    void wake(Task task) {
        if (woken != null) {
            throw new IllegalStateException("expected that an event wakes one task, found a second task");
        }
        woken = task;
    }

    /** Creates a task, and schedules an event that starts the task at the current time. */
    public void begin(Actor actor, Runnable body) {
        Task task = new Task(actor, body, this::ended);
        actor.add(task);
        after(0, new Waker(this, chance, task, 0));
    }

    /**
     * Runs events until none is left, or until a condition is false. The condition is evaluated before the first event
     * and once after each event.
     */
    public void runWhile(BooleanSupplier condition) {
        goesOn = condition;
        answer = null;
        for (Task next = runEvents(true); next != null; next = runEvents(true)) {
            start(next);
            own.await();
            rethrow();
        }
    }

    private void rethrow() {
        switch (broken) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(broken);
        }
    }

    /** Only the scheduler's own thread runs events that may kill an actor. Returns null if no more events may run. */
    private @Nullable Task runEvents(boolean isOwn) {
        while (goesOn()) {
            Runnable next = events.take(isOwn);
            if (next == null) {
                return null;
            }
            answer = null;
            next.run();
            Task task = woken;
            if (task != null) {
                woken = null;
                return task;
            }
        }
        return null;
    }

    private boolean goesOn() {
        Boolean known = answer;
        if (known == null) {
            known = goesOn.getAsBoolean();
            answer = known;
        }
        return known;
    }

    private void start(Task task) {
        resume(task);
        task.turn().pass();
    }

    private void resume(Task task) {
        task.nextTicket();
        current = task;
    }

    /** Runs the next events on the thread of a task that waits or has ended. */
    private @Nullable Task runEventsOfTask() {
        try {
            return runEvents(false);
        } catch (RuntimeException | Error e) {
            broken = e;
            return null;
        }
    }

    private void pass(@Nullable Task next) {
        if (next == null) {
            own.pass();
        } else {
            start(next);
        }
    }

    private void waits(Task task) {
        ran(task);
        Task next = runEventsOfTask();
        if (next == task) {
            resume(task);
        } else {
            pass(next);
            task.turn().await();
        }
    }

    /** The thread of the task calls this method last. */
    private void ended() {
        if (isKilling) {
            own.pass();
        } else {
            ran(current());
            pass(runEventsOfTask());
        }
    }

    private void ran(Task task) {
        current = null;
        task.actor().lookAtConditions();
        Throwable failure = task.failure();
        if (task.isDone() && failure != null && !(failure instanceof Crash)) {
            failed.accept(failure);
        }
    }

    /**
     * Suspends the current task until its waker runs.
     *
     * @param wakers receives the waker before the task is suspended
     */
    public void suspend(Consumer<Runnable> wakers) {
        Task task = alive();
        long ticket = task.ticket();
        wakers.accept(new Waker(this, chance, task, ticket));
        waits(task);
        alive();
    }

    /** Returns the current task. Throws {@link Crash} if its actor is dead. */
    public Task alive() {
        Task task = current();
        if (!task.actor().isAlive()) {
            throw new Crash(task.actor().name());
        }
        return task;
    }

    /** Suspends the current task for a duration, measured by the clock of its actor. */
    public void pause(long ownNanos) {
        Task task = alive();
        suspend(wake -> after(task.actor().worldNanos(ownNanos), wake));
    }

    /** Suspends the current task until a condition is true. Evaluates the condition at regular intervals. */
    public void await(long everyNanos, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            pause(everyNanos);
        }
    }

    /**
     * Suspends the current task until a condition is true or a timeout has passed. The clock of its actor measures the
     * timeout. Only tasks of the same actor may make the condition true. Returns whether the condition is true.
     */
    public boolean awaitFor(BooleanSupplier condition, long mostOwnNanos) {
        Task task = alive();
        if (condition.getAsBoolean()) {
            return true;
        }
        Actor actor = task.actor();
        boolean[] held = {false};
        suspend(wake -> {
            actor.await(task, () -> {
                held[0] = condition.getAsBoolean();
                if (held[0]) {
                    after(0, wake);
                }
                return held[0];
            });
            // a wait of 0 ns does not advance the time, so a caller that repeats this wait would never end
            after(Math.max(1, actor.worldNanos(mostOwnNanos)), wake);
        });
        actor.awaitNoMore(task);
        return held[0];
    }

    /**
     * Kills an actor at once. Its unfinished tasks end with a {@link Crash}, and have no effect while they end. Only
     * the thread of the scheduler may call this method: in an event, or after all events.
     */
    public void kill(Actor actor) {
        if (!own.isOfThisThread()) {
            throw new IllegalStateException(
                    "expected that the thread of the scheduler kills " + actor + ", found " + Thread.currentThread());
        }
        if (actor.isAlive()) {
            actor.die();
            isKilling = true;
            for (Task task : actor.tasks()) {
                if (!task.isDone()) {
                    start(task);
                    own.await();
                    ran(task);
                }
            }
            isKilling = false;
        }
    }
}
