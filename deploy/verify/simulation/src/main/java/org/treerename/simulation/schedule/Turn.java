package org.treerename.simulation.schedule;

import java.util.concurrent.locks.LockSupport;

/**
 * The right of one thread to run. Of the threads of a scheduler, only the thread that has the turn runs. That thread
 * passes the turn to another thread, and then awaits its own turn.
 */
final class Turn {

    private final Thread thread;
    private volatile boolean isPassed;
    private boolean started;

    private Turn(Thread thread, boolean started) {
        this.thread = thread;
        this.started = started;
    }

    /** Returns the turn of the calling thread. */
    static Turn ofThisThread() {
        return new Turn(Thread.currentThread(), true);
    }

    /** Returns the turn of a new thread. The thread starts when it receives the turn for the first time. */
    static Turn ofNewThread(Runnable body) {
        // virtual threads switch fast
        return new Turn(Thread.ofVirtual().unstarted(body), false);
    }

    boolean isOfThisThread() {
        return thread == Thread.currentThread();
    }

    /** Passes the turn to the thread of this object. */
    void pass() {
        if (started) {
            isPassed = true;
            LockSupport.unpark(thread);
        } else {
            started = true;
            thread.start();
        }
    }

    /** Waits until another thread passes the turn to the thread of this object. Only that thread calls this method. */
    void await() {
        while (!isPassed) {
            LockSupport.park(this);
        }
        isPassed = false;
    }
}
