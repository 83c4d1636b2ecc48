package org.treerename.runtime;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs a step again and again until the loop is closed. {@code every} is the time between the beginnings
 * of two steps. If a step takes longer, the next step begins at once. If a step throws, the failure is logged and the
 * next step runs.
 */
public final class Loop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Loop.class);

    private final Time time;
    private final Duration every;
    private final Runnable step;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean pausing;

    private Loop(String name, Time time, Duration every, Runnable step) {
        this.time = time;
        this.every = every;
        this.step = step;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    public static Loop start(String name, Time time, Duration every, Runnable step) {
        Loop loop = new Loop(name, time, every, step);
        loop.thread.start();
        return loop;
    }

    private void run() {
        while (!closed) {
            long begun = time.nanos();
            try {
                step.run();
            } catch (RuntimeException e) {
                log.error("{}: a step failed; the next step runs as planned", thread.getName(), e);
            }
            Duration left = every.minusNanos(time.nanos() - begun);
            pausing = true;
            if (left.isPositive() && !closed) {
                time.pause(left);
            }
            pausing = false;
        }
    }

    /** Stops the loop, and returns when the last step has ended. Interrupts a pause, but not a step. */
    @Override
    public void close() {
        closed = true;
        if (pausing) {
            thread.interrupt();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
