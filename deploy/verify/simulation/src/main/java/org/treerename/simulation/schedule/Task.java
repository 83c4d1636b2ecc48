package org.treerename.simulation.schedule;

import org.jspecify.annotations.Nullable;

/** One thread of an actor. */
public final class Task {

    private final Actor actor;
    private final Coroutine coroutine;
    private long ticket;
    private @Nullable Object attachment;

    Task(Actor actor, Runnable body) {
        this.actor = actor;
        this.coroutine = new Coroutine(body);
    }

    public Actor actor() {
        return actor;
    }

    public boolean isDone() {
        return coroutine.isDone();
    }

    /** Returns the object that was attached last; null if no object was attached. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(Object next) {
        attachment = next;
    }

    Coroutine coroutine() {
        return coroutine;
    }

    /**
     * Returns the number of the current wait of the task. A waker contains this number, so it cannot end a later wait.
     */
    long ticket() {
        return ticket;
    }

    void nextTicket() {
        ticket++;
    }
}
