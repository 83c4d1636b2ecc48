package org.treerename.producer.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.runtime.Time;

/**
 * Ends connections on which a client lets us wait for too long: each is a thread, whose interrupt closes its socket. A time-out of
 * the socket alone would begin anew with each byte. Any thread may call it; one {@linkplain #look looks}.
 */
final class SlowClients {

    private record Waiting(long untilNanos) {}

    private final Time time;
    private final Map<Thread, Waiting> waiting = new ConcurrentHashMap<>();

    SlowClients(Time time) {
        this.time = time;
    }

    /** From now on the calling thread waits for its client, for so long at most; until {@link #done}. */
    void begin(Duration most) {
        waiting.put(Thread.currentThread(), new Waiting(time.nanos() + most.toNanos()));
    }

    void done() {
        waiting.remove(Thread.currentThread());
    }

    /** Waits for the client, for so long at most. */
    void within(Duration most, Runnable wait) {
        begin(most);
        try {
            wait.run();
        } finally {
            done();
        }
    }

    int size() {
        return waiting.size();
    }

    void look() {
        long now = time.nanos();
        for (Thread thread : waiting.keySet()) {
            // in one step, so that nobody is interrupted who is done
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
