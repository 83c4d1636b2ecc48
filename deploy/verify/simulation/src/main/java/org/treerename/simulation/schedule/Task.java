package org.treerename.simulation.schedule;

import org.jspecify.annotations.Nullable;

/** A thread of an actor. The scheduler decides when this thread runs. */
public final class Task {

    private final Actor actor;
    private final Turn turn;
    private boolean done;
    private @Nullable Throwable failure;
    private long ticket;
    private @Nullable Object attachment;

    /**
     * @param body the code of the task
     * @param end the code that the thread of the task runs after the body
     */
    Task(Actor actor, Runnable body, Runnable end) {
        this.actor = actor;
        this.turn = Turn.ofNewThread(() -> {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                done = true;
                end.run();
            }
        });
    }

    public Actor actor() {
        return actor;
    }

    public boolean isDone() {
        return done;
    }

    /** Returns the exception that ended the task; null if the task ended normally or has not ended. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Returns the object that was attached last; null if no object was attached. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(Object next) {
        attachment = next;
    }

    Turn turn() {
        return turn;
    }

    /**
     * Returns the number of the current wait of the task. A waker contains the number of its wait, so it cannot end a
     * later wait.
     */
    long ticket() {
        return ticket;
    }

    void nextTicket() {
        ticket++;
    }
}
