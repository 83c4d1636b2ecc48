package org.treerename.simulation.schedule;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs only while another waits for it, so that plain, blocking code can be one of several that take turns.
 * {@link #resume} is called by whoever decides, {@link #suspend} by the coroutine itself.
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

    /** What ended it, if it did not end by itself. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Lets it go on; comes back when it has suspended itself or ended. */
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

    /** Gives up control; comes back when it is resumed. */
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
