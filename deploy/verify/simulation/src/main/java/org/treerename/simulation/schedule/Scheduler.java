package org.treerename.simulation.schedule;

import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Controls the time and the order of all tasks. Events run one after the other at their times. Events of the same time
 * run in a random order. Within one event, a task runs until its next wait. One thread calls the scheduler.
 */
public final class Scheduler {

    private static final double WAKES_LATE = 0.5;
    private static final long LATEST_WAKE_NANOS = 400_000_000;

    private record Event(long atNanos, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNanos == other.atNanos ? Long.compare(order, other.order) : Long.compare(atNanos, other.atNanos);
        }
    }

    private final Chance chance;
    private final Consumer<Throwable> failed;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNanos;
    private long steps;
    private @Nullable Task current;

    /**
     * @param failed receives the exception that ended a task, unless it is a {@link Crash}
     */
    public Scheduler(Chance chance, Consumer<Throwable> failed) {
        this.chance = chance;
        this.failed = failed;
    }

    public long nowNanos() {
        return nowNanos;
    }

    /** Returns the number of events that have run. */
    public long steps() {
        return steps;
    }

    public Actor actor(String name, double rate, long offsetNanos) {
        return new Actor(name, rate, offsetNanos);
    }

    /** Returns the task that runs now. */
    public Task current() {
        return Objects.requireNonNull(current, "expected a running task, found none");
    }

    public void after(long nanos, Runnable event) {
        events.add(new Event(nowNanos + Math.max(0, nanos), chance.between(0, Long.MAX_VALUE - 1), event));
    }

    /** Begins a task with an event at the current time. */
    public void begin(Actor actor, Runnable body) {
        Task task = new Task(actor, body);
        actor.add(task);
        after(0, () -> wake(task, 0));
    }

    /** Runs the next event. Returns whether there was one. */
    public boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        nowNanos = next.atNanos();
        steps++;
        next.what().run();
        return true;
    }

    /**
     * Suspends the current task until its waker runs.
     *
     * @param wakers receives the waker before the task is suspended
     */
    public void suspend(Consumer<Runnable> wakers) {
        Task task = alive();
        long ticket = task.ticket();
        wakers.accept(() -> wake(task, ticket));
        task.coroutine().suspend();
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

    /** Suspends the current task for a duration of its actor's clock. */
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
     * Suspends the current task until a condition is true, or until a timeout by its actor's clock. Only tasks of the
     * same actor may make the condition true. Returns whether the condition is true.
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
            // the wait is at least 1 ns; with 0 ns the time would not advance, and a caller that repeats a wait of less
            // than 1 ns would never end
            after(Math.max(1, actor.worldNanos(mostOwnNanos)), wake);
        });
        actor.awaitNoMore(task);
        return held[0];
    }

    private void wake(Task task, long ticket) {
        Actor actor = task.actor();
        if (task.isDone() || task.ticket() != ticket || !actor.isAlive()) {
            return;
        }
        if (actor.frozenUntilNanos() > nowNanos) {
            // threads of one process do not wake at the same moment
            long late = chance.happens(WAKES_LATE) ? chance.between(0, LATEST_WAKE_NANOS) : 0;
            after(actor.frozenUntilNanos() - nowNanos + late, () -> wake(task, ticket));
            return;
        }
        run(task);
    }

    private void run(Task task) {
        task.nextTicket();
        Task before = current;
        current = task;
        task.coroutine().resume();
        current = before;
        task.actor().lookAtConditions();
        Throwable failure = task.coroutine().failure();
        if (task.isDone() && failure != null && !(failure instanceof Crash)) {
            failed.accept(failure);
        }
    }

    /**
     * Kills an actor at once. Its unfinished tasks end with a {@link Crash}, and have no effect while they end. Only an
     * event may call this method, not a task of the actor.
     */
    public void kill(Actor actor) {
        if (actor.isAlive()) {
            actor.die();
            for (Task task : actor.tasks()) {
                if (!task.isDone()) {
                    run(task);
                }
            }
        }
    }
}
