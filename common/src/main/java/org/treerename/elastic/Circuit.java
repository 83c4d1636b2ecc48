package org.treerename.elastic;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.store.NoAnswerException;

/**
 * Whether Elasticsearch is gone: open, when the last requests got no answer from any node, one after the other. Then no
 * request is sent but a probe now and then, and the first one that is answered closes it. Both are told once. Any thread
 * may call it.
 */
final class Circuit {

    private static final Logger log = LoggerFactory.getLogger(Circuit.class);
    private static final int SILENT = 5;
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(500);

    /** One request. */
    @FunctionalInterface
    interface Probe {
        void run() throws IOException;
    }

    private final CircuitBreaker breaker;

    private volatile String last = "";

    Circuit() {
        this(BETWEEN_PROBES);
    }

    Circuit(Duration betweenProbes) {
        breaker = CircuitBreaker.of(
                "elasticsearch",
                CircuitBreakerConfig.custom()
                        .slidingWindow(SILENT, SILENT, SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(100)
                        .waitDurationInOpenState(betweenProbes)
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> {
            switch (event.getStateTransition()) {
                case CLOSED_TO_OPEN ->
                    log.warn("Elasticsearch is gone: {}; no request is sent until it answers again", last);
                case HALF_OPEN_TO_CLOSED -> log.info("Elasticsearch answers again");
                default -> {}
            }
        });
    }

    boolean isOpen() {
        return breaker.getState() != State.CLOSED;
    }

    /**
     * Lets a request pass.
     *
     * @throws NoAnswerException if it would get no answer
     */
    void admit() {
        if (isOpen()) {
            throw NoAnswerException.notAsked("Elasticsearch is gone, and is not asked until it answers again");
        }
    }

    void answered() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    void silent(Exception failure) {
        last = failure.toString();
        breaker.onError(0, TimeUnit.NANOSECONDS, failure);
    }

    /** Tries one request if it is open, and was not tried just before. */
    void probe(Probe probe) {
        if (!isOpen() || !breaker.tryAcquirePermission()) {
            return;
        }
        try {
            probe.run();
            answered();
        } catch (IOException | RuntimeException e) {
            silent(e);
        }
    }
}
