package org.treerename.simulation.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A simulated operating system process. All of its tasks die, freeze and continue together. The actor has its own
 * monotonic clock, which is a little faster or slower than the clocks of other actors.
 */
public final class Actor {

    private final String name;
    private final double rate;
    private final long offsetNanos;
    private final List<Task> tasks = new ArrayList<>();

    /** The conditions that tasks wait for, in the order in which the tasks began to wait. */
    private final Map<Task, BooleanSupplier> conditions = new LinkedHashMap<>();

    private boolean alive = true;
    private long frozenUntilNanos;
    private long suspendedNanos;

    Actor(String name, double rate, long offsetNanos) {
        this.name = name;
        this.rate = rate;
        this.offsetNanos = offsetNanos;
    }

    public String name() {
        return name;
    }

    public boolean isAlive() {
        return alive;
    }

    public long frozenUntilNanos() {
        return frozenUntilNanos;
    }

    public void freeze(long untilNanos) {
        frozenUntilNanos = Math.max(frozenUntilNanos, untilNanos);
    }

    /** Freezes the actor together with its machine. The actor's monotonic clock stops until the actor continues. */
    public void suspend(long nowNanos, long nanos) {
        freeze(nowNanos + nanos);
        suspendedNanos += nanos;
    }

    /** Converts a time of the scheduler's clock to a time of the actor's monotonic clock. */
    public long ownNanos(long nanos) {
        return offsetNanos + (long) ((nanos - suspendedNanos) * rate);
    }

    /** Converts a duration of the actor's monotonic clock to a duration of the scheduler's clock. */
    long worldNanos(long ownNanos) {
        return (long) (ownNanos / rate);
    }

    void add(Task task) {
        tasks.removeIf(Task::isDone);
        tasks.add(task);
    }

    List<Task> tasks() {
        return List.copyOf(tasks);
    }

    /**
     * Registers the condition that a task waits for. The actor evaluates the condition after each run of any of its
     * tasks, and removes the condition when it is true.
     */
    void await(Task task, BooleanSupplier condition) {
        conditions.put(task, condition);
    }

    void awaitNoMore(Task task) {
        conditions.remove(task);
    }

    void lookAtConditions() {
        if (!conditions.isEmpty()) {
            conditions.values().removeIf(BooleanSupplier::getAsBoolean);
        }
    }

    void die() {
        alive = false;
    }

    @Override
    public String toString() {
        return name;
    }
}
