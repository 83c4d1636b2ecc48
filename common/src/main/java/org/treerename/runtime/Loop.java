package org.treerename.runtime;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes one step after the other, with a pause between the beginnings of two, until it is closed. A step that
 * throws is told and followed by the next.
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
                log.error("a step of {} failed; the next follows", thread.getName(), e);
            }
            Duration left = every.minusNanos(time.nanos() - begun);
            pausing = true;
            if (left.isPositive() && !closed) {
                time.pause(left);
            }
            pausing = false;
        }
    }

    /** Comes back when the last step has ended; a pause is cut short, a step is not. */
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
