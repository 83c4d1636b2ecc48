package org.treerename.producer.http;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.treerename.runtime.Time;

/** How many requests each caller may send in a second. Any thread may call it. */
final class RateLimits {

    /** Whose name is not known: they share one limit. */
    static final String STRANGERS = "";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RateLimiterConfig config;
    private final Time time;
    private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    RateLimits(int perSecond, Time time) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("--http-requests-per-second is at least 1, found " + perSecond);
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
     * @throws ProblemException where it is one too many
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
