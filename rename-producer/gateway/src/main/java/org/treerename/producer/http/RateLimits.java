package org.treerename.producer.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.treerename.runtime.Time;

/**
 * Limits the number of requests that each caller may send per second. The requests of a batch count one by one. A batch
 * is never refused because of its size; instead, the next requests of its caller wait. Any thread may call this class.
 */
final class RateLimits {

    /** The shared name of all callers without an accepted token. */
    static final String UNKNOWN_CALLERS = "";

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long nanosPerRequest;
    private final Time time;

    /** The end of the time that the requests of each caller have used. */
    private final Map<String, Long> usedUntil = new HashMap<>();

    RateLimits(int perSecond, Time time) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("--http-requests-per-second must be at least 1, was " + perSecond);
        }
        this.nanosPerRequest = SECOND / perSecond;
        this.time = time;
    }

    /**
     * Counts a request.
     *
     * @throws ProblemException if the caller exceeds its limit
     */
    synchronized void count(String caller) {
        long excess = used(caller) + nanosPerRequest - SECOND;
        if (excess > 0) {
            throw new ProblemException(
                    Problem.TOO_MANY_REQUESTS,
                    Problem.TOO_MANY_REQUESTS.title(),
                    null,
                    Map.of("Retry-After", String.valueOf(Math.ceilDiv(excess, SECOND))));
        }
        countMore(caller, 1);
    }

    /** Counts further requests, which are in the body of a request that was counted. */
    synchronized void countMore(String caller, int requests) {
        long now = time.nanos();
        if (!usedUntil.containsKey(caller)) {
            usedUntil.values().removeIf(until -> until - now <= 0);
        }
        usedUntil.put(caller, now + used(caller) + requests * nanosPerRequest);
    }

    /** Returns the number of callers whose use is kept. */
    synchronized int size() {
        return usedUntil.size();
    }

    /** Returns how much time the caller has used in advance. */
    private long used(String caller) {
        Long until = usedUntil.get(caller);
        return until == null ? 0 : Math.max(0, until - time.nanos());
    }
}
