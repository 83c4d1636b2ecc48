package org.treerename.service;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.kafka.RequestTopic;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Checks every few seconds whether Kafka answers and whether the request topic has the required settings. A process
 * does not start if the topic has unusable settings. Later, the process is not ready while the topic is missing or has
 * unusable settings, or if Kafka has not answered for the time {@link #SILENCE}. One thread checks the topic; any
 * thread may call {@link #check}.
 */
public final class KafkaWatch {

    /** The time between two checks of the topic. */
    static final Duration EVERY = Duration.ofSeconds(3);

    /** The time without an answer after which the process is not ready; longer than the timeout of one request. */
    static final Duration SILENCE = Duration.ofSeconds(15);

    private static final String UNANSWERED = "Kafka does not answer; trying again every " + EVERY.toSeconds()
            + " s; the process is not ready after " + SILENCE.toSeconds() + " s without an answer";

    private static final Logger log = LoggerFactory.getLogger(KafkaWatch.class);

    private final Time time;
    private final String topic;
    private final Supplier<Optional<RequestTopic>> request;
    private final LastSeen answered;
    private volatile Optional<String> problem = Optional.empty();
    private String lastWarning = "";

    KafkaWatch(Time time, String topic, Supplier<Optional<RequestTopic>> request) {
        this.time = time;
        this.topic = topic;
        this.request = request;
        this.answered = new LastSeen(time);
    }

    /**
     * Checks the topic once, and then regularly until the returned loop is closed. From now on, the process is ready
     * only while Kafka answers.
     *
     * @param request the function that requests the settings of the request topic from Kafka; it returns empty if the
     *     topic does not exist
     * @throws IllegalArgumentException if the topic has unusable settings, or if Kafka refuses this process
     */
    public static Loop start(Host host, Supplier<Optional<RequestTopic>> request) {
        KafkaWatch watch = new KafkaWatch(
                host.time(), host.settings().kafka().installation().requests(), request);
        watch.begin();
        host.observability().health().readyIf("kafka", watch::check);
        return Loop.start("kafka-watch", host.time(), EVERY, watch::poll);
    }

    /**
     * Checks the topic for the first time. A missing topic or a missing answer is not an error. If Kafka refuses this
     * process, the method throws at once, because a retry would not help.
     */
    void begin() {
        poll(NoAnswerException::isAuthenticationFailure)
                .flatMap(RequestTopic::problem)
                .ifPresent(found -> {
                    throw new IllegalArgumentException(found);
                });
    }

    /** Checks the topic once. Returns the topic; empty if there is no topic or no answer. */
    Optional<RequestTopic> poll() {
        return poll(silent -> false);
    }

    private Optional<RequestTopic> poll(Predicate<NoAnswerException> isFatal) {
        long sentNanos = time.nanos();
        try {
            Optional<RequestTopic> found = request.get();
            answered.at(sentNanos);
            problem = found.isEmpty()
                    ? Optional.of("there is no topic " + topic + "; create it, or correct --prefix")
                    : found.get().problem();
            logChange(problem.or(() -> found.flatMap(RequestTopic::remark)).orElse(""));
            return found;
        } catch (RefusedException e) {
            answered.at(sentNanos);
            logChange("cannot check the settings of the topic " + topic + ": " + e.getMessage() + "; trying again");
        } catch (NoAnswerException e) {
            if (isFatal.test(e)) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            logChange(e.isAuthenticationFailure() ? String.valueOf(e.getMessage()) : UNANSWERED);
            log.debug("{}", e.getMessage());
        }
        return Optional.empty();
    }

    private void logChange(String warning) {
        if (!warning.equals(lastWarning) && !warning.isEmpty()) {
            log.warn("{}", warning);
        }
        lastWarning = warning;
    }

    Optional<String> check() {
        return problem.or(answered.within(SILENCE, "the last request that Kafka answered was sent"));
    }
}
