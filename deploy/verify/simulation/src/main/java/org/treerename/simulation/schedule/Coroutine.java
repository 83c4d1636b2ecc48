package org.treerename.simulation.schedule;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs only while the thread that resumed it waits. Blocking code can thus run in turn with other code.
 * The scheduler calls {@link #resume}. The code of the coroutine calls {@link #suspend}.
 */
final class Coroutine {

    private final Thread thread;
    private @Nullable Thread resumer;
    private volatile boolean running;
    private boolean started;
    private boolean done;
    private @Nullable Throwable failure;

    Coroutine(Runnable body) {
        this.thread = Thread.ofVirtual().unstarted(() -> {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                done = true;
                handBack();
            }
        });
    }

    boolean isDone() {
        return done;
    }

    /** Returns the exception that ended the coroutine; null if the coroutine ended normally or still runs. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Continues the coroutine. Returns when the coroutine is suspended again or has ended. */
    void resume() {
        resumer = Thread.currentThread();
        running = true;
        if (started) {
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
        while (running) {
            LockSupport.park(this);
        }
    }

    /** Suspends the coroutine. Returns when it is resumed. */
    void suspend() {
        handBack();
        while (!running) {
            LockSupport.park(this);
        }
    }

    private void handBack() {
        running = false;
        LockSupport.unpark(resumer);
    }
}
