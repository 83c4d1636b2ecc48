package org.treerename.simulation.schedule;

import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Owns time and decides who goes on. Events happen one after the other at their times, those of the same time in an order
 * that chance decides; a task runs from one wait to the next within one event. One thread calls it.
 */
public final class Scheduler {

    private static final double COMES_ROUND_LATE = 0.5;
    private static final long LATEST_ROUND_NANOS = 400_000_000;

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
     * @param failed is told what a task ended with, if it did not end by itself and its actor is alive
     */
    public Scheduler(Chance chance, Consumer<Throwable> failed) {
        this.chance = chance;
        this.failed = failed;
    }

    public long nowNanos() {
        return nowNanos;
    }

    /** How many events have happened. */
    public long steps() {
        return steps;
    }

    public Actor actor(String name, double rate, long offsetNanos) {
        return new Actor(name, rate, offsetNanos);
    }

    /** The task that runs now. */
    public Task current() {
        return Objects.requireNonNull(current, "no task runs");
    }

    public void after(long nanos, Runnable event) {
        events.add(new Event(nowNanos + Math.max(0, nanos), chance.between(0, Long.MAX_VALUE - 1), event));
    }

    /** Begins a task as the next thing that happens. */
    public void begin(Actor actor, Runnable body) {
        Task task = new Task(actor, body);
        actor.add(task);
        after(0, () -> wake(task, 0));
    }

    /** Whether something can still happen; if so, it has. */
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

    /** The current task waits until somebody wakes it. */
    public void suspend(Consumer<Runnable> wakers) {
        Task task = alive();
        long ticket = task.ticket();
        wakers.accept(() -> wake(task, ticket));
        task.coroutine().suspend();
        alive();
    }

    /** The current task, if its actor lives. */
    public Task alive() {
        Task task = current();
        if (!task.actor().isAlive()) {
            throw new Crash(task.actor().name());
        }
        return task;
    }

    /** The current task waits for that much of its actor's own time. */
    public void pause(long ownNanos) {
        Task task = alive();
        suspend(wake -> after(task.actor().worldNanos(ownNanos), wake));
    }

    /** The current task waits, and looks every so often, until a condition holds. */
    public void await(long everyNanos, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            pause(everyNanos);
        }
    }

    /**
     * The current task waits until a condition holds, or for that much of its actor's own time. Only tasks of the same actor may make the
     * condition true. Returns whether it held.
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
            // at least one, or a caller that waits for the rest of a nanosecond waits in the same moment for ever
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
            // the threads of one process do not all come round at once
            long late = chance.happens(COMES_ROUND_LATE) ? chance.between(0, LATEST_ROUND_NANOS) : 0;
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

    /** Ends an actor where it stands; what its tasks still do is nothing. An event calls it, no task of that actor. */
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
