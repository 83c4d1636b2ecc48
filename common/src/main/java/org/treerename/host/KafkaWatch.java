package org.treerename.host;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.Loop;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.wire.RequestTopic;
import org.treerename.wire.Topics;

/**
 * Whether Kafka answers, and whether the request topic is as it has to be: asked now and then, which is little to ask. A process
 * does not begin on a topic that it cannot work with; where it does not know yet, or the topic is changed later, it is not
 * ready. One thread looks, any thread may ask.
 */
public final class KafkaWatch {

    /** From one look to the next. */
    static final Duration EVERY = Duration.ofSeconds(3);

    /** Longer than one request without an answer takes. */
    static final Duration SILENCE = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(KafkaWatch.class);

    private final Time time;
    private final Supplier<Optional<RequestTopic>> asked;
    private final LastSeen answered;
    private volatile Optional<String> problem = Optional.empty();
    private String told = "";

    KafkaWatch(Time time, Supplier<Optional<RequestTopic>> asked) {
        this.time = time;
        this.asked = asked;
        this.answered = new LastSeen(time);
    }

    /**
     * Looks once, and then until it is closed. From now on the process is ready only while Kafka answers.
     *
     * @param topic what Kafka says of the request topic; empty if there is none
     * @throws IllegalArgumentException if the process cannot work with it, or Kafka does not let it in
     */
    public static Loop start(Host host, Supplier<Optional<RequestTopic>> topic) {
        KafkaWatch watch = new KafkaWatch(host.time(), topic);
        watch.begin();
        host.observability().health().readyIf("kafka", watch::check);
        return Loop.start("kafka-watch", host.time(), EVERY, watch::look);
    }

    /** The first look: there may be no topic yet, and no answer; but nobody waits for a Kafka that will not have this process. */
    void begin() {
        look(NoAnswerException::isNotLetIn).flatMap(RequestTopic::problem).ifPresent(found -> {
            throw new IllegalArgumentException(found);
        });
    }

    /** What it saw; empty if nothing. */
    Optional<RequestTopic> look() {
        return look(silent -> false);
    }

    private Optional<RequestTopic> look(Predicate<NoAnswerException> isFatal) {
        long sentNanos = time.nanos();
        try {
            Optional<RequestTopic> topic = asked.get();
            answered.at(sentNanos);
            problem = topic.isEmpty()
                    ? Optional.of("there is no topic " + Topics.REQUESTS)
                    : topic.get().problem();
            tell(problem.or(() -> topic.flatMap(RequestTopic::remark)).orElse(""));
            return topic;
        } catch (RefusedException e) {
            answered.at(sentNanos);
            tell("whether the request topic is as it has to be is not known: " + e.getMessage());
        } catch (NoAnswerException e) {
            if (isFatal.test(e)) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            tell(e.isNotLetIn() ? String.valueOf(e.getMessage()) : "Kafka does not answer");
            log.debug("{}", e.getMessage());
        }
        return Optional.empty();
    }

    /** Once, until it changes. */
    private void tell(String now) {
        if (!now.equals(told) && !now.isEmpty()) {
            log.warn("{}", now);
        }
        told = now;
    }

    Optional<String> check() {
        return problem.or(answered.within(SILENCE, "Kafka was asked the last time that it answered"));
    }
}
