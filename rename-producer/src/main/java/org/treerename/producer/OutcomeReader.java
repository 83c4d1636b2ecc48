package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.Topics;

/**
 * Reads every outcome that is published after {@link #seekToEnd} and ends the futures that wait for it.
 *
 * <p>One thread makes it and calls {@code seekToEnd}; after {@link #start} a daemon thread of its own is the only one
 * that touches the consumer.
 */
final class OutcomeReader {

    private static final Logger log = LoggerFactory.getLogger(OutcomeReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(1);
    private static final int SHOWN_CHARACTERS = 500;

    private final Consumer<String, String> consumer;
    private final Waiting waiting;
    private final java.util.function.Consumer<String> ended;
    private final Duration partitionCheck;
    private final Time time;
    private final JsonOutcomeCodec codec = new JsonOutcomeCodec();
    private final StopSignal stop = new StopSignal();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rename-outcomes").unstarted(this::run);
    private long checkedNanos;

    /**
     * @param ended is told the id of each request of which an outcome is read, before those that wait for it
     */
    OutcomeReader(
            Consumer<String, String> consumer,
            Waiting waiting,
            java.util.function.Consumer<String> ended,
            Duration partitionCheck,
            Time time) {
        this.consumer = consumer;
        this.waiting = waiting;
        this.ended = ended;
        this.partitionCheck = partitionCheck;
        this.time = time;
    }

    /**
     * Stands at the end of every partition when it returns: an outcome of a request that is sent afterwards lies behind
     * that and cannot be missed.
     *
     * @throws KafkaException if Kafka does not answer in time
     */
    void seekToEnd(List<TopicPartition> partitions, Duration timeout) {
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, timeout);
        ends.forEach(consumer::seek);
        checkedNanos = time.nanos();
    }

    void start() {
        thread.start();
    }

    /** Returns when the thread has ended, or after this long. */
    void stop(Duration timeout) {
        stop.request();
        consumer.wakeup();
        try {
            thread.join(Math.max(1, timeout.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stop.isRequested()) {
                step();
            }
        } finally {
            waiting.end(new NoOutcomeException("outcomes are no longer read: the producer was closed or its thread \""
                    + thread.getName() + "\" died"));
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    /** Reads what is there; waits for half a second if there is nothing. */
    void step() {
        try {
            consumer.poll(POLL).forEach(this::take);
            if (time.nanos() - checkedNanos >= partitionCheck.toNanos()) {
                checkedNanos = time.nanos();
                addNewPartitions();
            }
        } catch (KafkaException e) {
            recover(e);
        }
    }

    private void recover(KafkaException failure) {
        if (stop.isRequested()) {
            return;
        }
        if (failure instanceof AuthenticationException || failure instanceof AuthorizationException) {
            waiting.failAll(new NoOutcomeException(
                    "topic " + Topics.OUTCOMES + " may not be read: " + failure.getMessage(), failure));
        }
        log.warn("cannot read {}: {}; trying again", Topics.OUTCOMES, failure.getMessage());
        time.pause(PAUSE_AFTER_FAILURE);
    }

    /** A partition that was made since is read whole: it may hold an outcome that somebody waits for. */
    private void addNewPartitions() {
        List<TopicPartition> added = partitions(consumer.partitionsFor(Topics.OUTCOMES));
        added.removeAll(consumer.assignment());
        if (!added.isEmpty()) {
            List<TopicPartition> all = new ArrayList<>(consumer.assignment());
            all.addAll(added);
            consumer.assign(all);
            consumer.seekToBeginning(added);
            log.info("reads the new partitions {}", added);
        }
    }

    static List<TopicPartition> partitions(List<PartitionInfo> found) {
        List<TopicPartition> partitions = new ArrayList<>();
        found.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
        return partitions;
    }

    private void take(ConsumerRecord<String, String> published) {
        String requestId = published.key();
        if (requestId == null || published.value() == null) {
            return;
        }
        ended.accept(requestId);
        if (!waiting.isAwaited(requestId)) {
            return;
        }
        PublishedOutcome outcome;
        try {
            outcome = new PublishedOutcome(codec.decode(published.value()), published.value());
        } catch (RuntimeException e) {
            // the edge of one item: whatever is wrong with it, the next one must be read
            waiting.fail(requestId, unreadable(published, e));
            log.warn("outcome of request {} cannot be read: {}", requestId, e.getMessage());
            return;
        }
        waiting.answer(requestId, outcome);
    }

    private static NoOutcomeException unreadable(ConsumerRecord<String, String> published, RuntimeException cause) {
        String value = published.value();
        String shown = value.length() > SHOWN_CHARACTERS ? value.substring(0, SHOWN_CHARACTERS) + "..." : value;
        return new NoOutcomeException(
                "request " + published.key() + " ended, but this version cannot read its outcome (" + cause.getMessage()
                        + "): " + shown,
                cause);
    }
}
