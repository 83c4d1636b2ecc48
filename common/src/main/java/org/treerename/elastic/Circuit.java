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
 * The circuit breaker of the Elasticsearch client. The circuit breaker opens when the last {@value #FAILURES} requests
 * got no answer from any node. While the circuit breaker is open, the client sends only a probe from time to time. The
 * first answer closes the circuit breaker. Each time Elasticsearch becomes unavailable or answers again, the circuit
 * breaker logs one message. Any thread may call this class.
 */
final class Circuit {

    private static final Logger log = LoggerFactory.getLogger(Circuit.class);
    private static final int FAILURES = 5;
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(500);

    /** Sends the request of a probe. */
    @FunctionalInterface
    interface Probe {
        void run() throws IOException;
    }

    private final CircuitBreaker breaker;
    private volatile String lastFailure = "";

    Circuit() {
        this(BETWEEN_PROBES);
    }

    Circuit(Duration betweenProbes) {
        breaker = CircuitBreaker.of(
                "elasticsearch",
                CircuitBreakerConfig.custom()
                        .slidingWindow(FAILURES, FAILURES, SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(100)
                        .waitDurationInOpenState(betweenProbes)
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> {
            switch (event.getStateTransition()) {
                case CLOSED_TO_OPEN ->
                    log.warn(
                            "Elasticsearch is unavailable: {}; only probes are sent until Elasticsearch answers again",
                            lastFailure);
                case HALF_OPEN_TO_CLOSED -> log.info("Elasticsearch answers again");
                default -> {}
            }
        });
    }

    boolean isOpen() {
        return breaker.getState() != State.CLOSED;
    }

    /**
     * Throws if the circuit breaker is open. The client calls this method before each request except a probe.
     *
     * @throws NoAnswerException if Elasticsearch is unavailable
     */
    void admit() {
        if (isOpen()) {
            throw NoAnswerException.notSent("Elasticsearch is unavailable; the request was not sent");
        }
    }

    void answered() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    void silent(Exception failure) {
        lastFailure = failure.toString();
        breaker.onError(0, TimeUnit.NANOSECONDS, failure);
    }

    /** Sends a probe if the circuit breaker is open and enough time has passed since the last probe. */
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
