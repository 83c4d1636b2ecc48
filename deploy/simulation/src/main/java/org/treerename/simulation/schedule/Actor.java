package org.treerename.simulation.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What lives and dies, freezes and thaws as one: an operating system's process, with a clock of its own that runs a little
 * faster or slower than the others'.
 */
public final class Actor {

    private final String name;
    private final double rate;
    private final long offsetNanos;
    private final List<Task> tasks = new ArrayList<>();

    /** What tasks wait for, in the order in which they began to wait. */
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

    /** Freezes it with its machine, whose monotonic clock stands still meanwhile. */
    public void suspend(long nowNanos, long nanos) {
        freeze(nowNanos + nanos);
        suspendedNanos += nanos;
    }

    /** What its monotonic clock shows. */
    public long ownNanos(long nanos) {
        return offsetNanos + (long) ((nanos - suspendedNanos) * rate);
    }

    /** How much of everybody's time goes by in that much of its own. */
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

    /** After each run of a task of this actor the condition is looked at, until it has held once. */
    void await(Task task, BooleanSupplier condition) {
        conditions.put(task, condition);
    }

    void awaitNoMore(Task task) {
        conditions.remove(task);
    }

    void lookAtConditions() {
        conditions.values().removeIf(BooleanSupplier::getAsBoolean);
    }

    void die() {
        alive = false;
    }

    @Override
    public String toString() {
        return name;
    }
}
