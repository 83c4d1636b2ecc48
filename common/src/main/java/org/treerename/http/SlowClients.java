package org.treerename.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.runtime.Time;

/**
 * Closes connections whose client is too slow. Each connection has a thread, and an interrupt of the thread closes the
 * socket. A timeout of the socket is not enough, because the timeout begins again with each byte. Any thread may call
 * this class; one thread calls {@link #poll}.
 */
public final class SlowClients {

    private record Waiting(long untilNanos) {}

    private final Time time;
    private final Map<Thread, Waiting> waiting = new ConcurrentHashMap<>();

    public SlowClients(Time time) {
        this.time = time;
    }

    /**
     * Records that the calling thread begins to wait for the client of its connection. If the thread does not call
     * {@link #done} within this time, {@link #poll} interrupts the thread.
     */
    public void begin(Duration limit) {
        waiting.put(Thread.currentThread(), new Waiting(time.nanos() + limit.toNanos()));
    }

    public void done() {
        waiting.remove(Thread.currentThread());
    }

    /** Runs a step that waits for the client. {@link #poll} interrupts a step that takes longer than this time. */
    public void within(Duration limit, Runnable wait) {
        begin(limit);
        try {
            wait.run();
        } finally {
            done();
        }
    }

    public int size() {
        return waiting.size();
    }

    /** Interrupts each thread whose wait is too long. */
    public void poll() {
        long now = time.nanos();
        for (Thread thread : waiting.keySet()) {
            // check and interrupt in one atomic step, so that no thread is interrupted after its wait
            waiting.computeIfPresent(thread, (late, wait) -> {
                if (now - wait.untilNanos() < 0) {
                    return wait;
                }
                late.interrupt();
                return null;
            });
        }
    }
}
