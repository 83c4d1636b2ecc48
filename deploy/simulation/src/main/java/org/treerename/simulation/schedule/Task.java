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

    /** Whatever somebody wants to know of it later. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(Object next) {
        attachment = next;
    }

    Coroutine coroutine() {
        return coroutine;
    }

    /** Of its present wait: who wakes it names it, so that a wait that has ended is not ended again. */
    long ticket() {
        return ticket;
    }

    void nextTicket() {
        ticket++;
    }
}
