package org.treerename.producer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.request.OutcomeCodec;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;

/**
 * Reads every outcome that is published after the call of {@link #seekToEnd}, and completes the futures that wait for
 * these outcomes.
 *
 * <p>One thread creates the reader and calls {@code seekToEnd}. After {@link #start}, only the daemon thread of the
 * reader uses the consumer, because a consumer is not thread-safe.
 */
final class OutcomeReader {

    private static final Logger log = LoggerFactory.getLogger(OutcomeReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    /** Zero, because an orderly close would first wait up to half a second for the running fetch. */
    private static final Duration CLOSE = Duration.ZERO;

    private static final int SHOWN_CHARACTERS = 500;

    private final Consumer<String, String> consumer;
    private final Waiting waiting;
    private final java.util.function.Consumer<String> ended;
    private final String topic;
    private final OutcomeAssignment assignment;
    private final Duration apiTimeout;
    private final Time time;
    private final StopSignal stop = new StopSignal();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rename-outcomes").unstarted(this::run);

    /** Completes when the thread knows whether Kafka allows this client to read outcomes. */
    private volatile CompletableFuture<Void> tried = CompletableFuture.completedFuture(null);

    /** The failure of the first read; null if Kafka allows this client to read, or does not answer. */
    private volatile @Nullable KafkaException forbidden;

    /**
     * @param ended receives the id of each request whose outcome was read, before the reader completes the futures of
     *     the request
     */
    OutcomeReader(
            Consumer<String, String> consumer,
            Waiting waiting,
            java.util.function.Consumer<String> ended,
            ProducerSettings settings,
            Time time) {
        this.consumer = consumer;
        this.waiting = waiting;
        this.ended = ended;
        this.topic = settings.installation().outcomes();
        this.assignment = new OutcomeAssignment(OutcomeStart.end(), settings, time);
        this.apiTimeout = settings.apiTimeout();
        this.time = time;
    }

    /**
     * Sets the position to the end of every partition. If a request is sent after this call, its outcome is behind this
     * position. So the reader cannot miss the outcome.
     *
     * @throws KafkaException if Kafka does not answer in time
     */
    void seekToEnd(List<TopicPartition> partitions, Duration timeout) {
        assignment.begin(consumer, partitions, timeout);
    }

    void start() {
        tried = new CompletableFuture<>();
        thread.start();
    }

    /**
     * Returns the reason why Kafka does not allow this client to read outcomes; empty if it allows it. After the start,
     * the first call waits for the first read.
     */
    Optional<String> forbidden() {
        new Deadline(time, apiTimeout).await(tried);
        return Optional.ofNullable(forbidden).map(this::sentence);
    }

    private String sentence(KafkaException failure) {
        return "Kafka does not allow this client to read topic " + topic + ": " + failure.getMessage();
    }

    /** Stops the thread. Returns when the thread has ended, or after the timeout. */
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
            tryToRead();
            tried.complete(null);
            while (!stop.isRequested()) {
                step();
            }
        } finally {
            tried.complete(null);
            waiting.end(new NoOutcomeException("the producer no longer reads outcomes, because it was closed or its"
                    + " thread \"" + thread.getName() + "\" died; the rename may still be processed; send the same"
                    + " request again with a new producer"));
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    /**
     * Reads the last outcome of each partition again, and ignores it. Kafka answers the fetch of an existing record at
     * once, and reports a missing right only in the answer to a fetch.
     */
    void tryToRead() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        try {
            consumer.assignment().forEach(partition -> positions.put(partition, consumer.position(partition)));
            positions.forEach((partition, position) -> consumer.seek(partition, Math.max(0, position - 1)));
            var unused = consumer.poll(POLL);
        } catch (AuthenticationException | AuthorizationException e) {
            forbidden = e;
        } catch (KafkaException e) {
            log.debug("cannot read the last outcome: {}; the next read continues", e.getMessage());
        }
        positions.forEach(consumer::seek);
    }

    /** Polls once, and processes the records. If there is no record, blocks for up to half a second. */
    void step() {
        try {
            consumer.poll(POLL).forEach(this::process);
            forbidden = null;
            assignment.addNewPartitions(consumer);
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
                    sentence(failure) + "; if the request was sent, a worker processes it", failure));
        }
        log.warn("cannot read {}: {}; retrying in {} s", topic, failure.getMessage(), PAUSE_AFTER_FAILURE.toSeconds());
        time.pause(PAUSE_AFTER_FAILURE);
    }

    private void process(ConsumerRecord<String, String> published) {
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
            outcome = new PublishedOutcome(OutcomeCodec.decode(published.value()), published.value());
        } catch (RuntimeException e) {
            // an outcome that cannot be read must not stop the reader
            waiting.fail(requestId, unreadable(published, e));
            log.warn(
                    "cannot read the outcome of request {}: {}; the future of this request fails",
                    requestId,
                    e.getMessage());
            return;
        }
        waiting.answer(requestId, outcome);
    }

    private static NoOutcomeException unreadable(ConsumerRecord<String, String> published, RuntimeException cause) {
        String value = published.value();
        String shown = value.length() > SHOWN_CHARACTERS ? value.substring(0, SHOWN_CHARACTERS) + "..." : value;
        return new NoOutcomeException(
                "request " + published.key() + " ended, but this version of the client cannot read its outcome ("
                        + cause.getMessage() + "): " + shown,
                cause);
    }
}
