package org.treerename.producer.http;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.Map;

/** How many requests each caller may send in a second. Any thread may call it. */
final class RateLimits {

    /** Whose name is not known: they share one limit. */
    static final String STRANGERS = "";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RateLimiterRegistry limiters;

    RateLimits(int perSecond) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("--http-requests-per-second is at least 1, found " + perSecond);
        }
        limiters = RateLimiterRegistry.of(RateLimiterConfig.custom()
                .limitForPeriod(perSecond)
                .limitRefreshPeriod(SECOND)
                .timeoutDuration(Duration.ZERO)
                .build());
    }

    /**
     * Counts a request.
     *
     * @throws ProblemException where it is one too many
     */
    void count(String caller) {
        if (!limiters.rateLimiter(caller).acquirePermission()) {
            throw new ProblemException(
                    Problem.TOO_MANY_REQUESTS, Problem.TOO_MANY_REQUESTS.title(), null, Map.of("Retry-After", "1"));
        }
    }
}
