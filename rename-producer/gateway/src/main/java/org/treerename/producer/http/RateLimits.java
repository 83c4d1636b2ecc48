package org.treerename.producer.http;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.treerename.runtime.Time;

/** Limits the number of requests that each caller may send per second. Any thread may call this class. */
final class RateLimits {

    /** The shared name of all callers without an accepted token. */
    static final String UNKNOWN_CALLERS = "";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RateLimiterConfig config;
    private final Time time;
    private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    RateLimits(int perSecond, Time time) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("--http-requests-per-second must be at least 1, was " + perSecond);
        }
        this.config = RateLimiterConfig.custom()
                .limitForPeriod(perSecond)
                .limitRefreshPeriod(SECOND)
                .timeoutDuration(Duration.ZERO)
                .build();
        this.time = time;
    }

    /**
     * Counts a request.
     *
     * @throws ProblemException if the caller exceeds its limit
     */
    void count(String caller) {
        RateLimiter limiter = limiters.computeIfAbsent(
                caller, name -> RateLimiter.of(name, config, Map.of(), (Supplier<Long>) time::nanos));
        if (!limiter.acquirePermission()) {
            throw new ProblemException(
                    Problem.TOO_MANY_REQUESTS, Problem.TOO_MANY_REQUESTS.title(), null, Map.of("Retry-After", "1"));
        }
    }
}
