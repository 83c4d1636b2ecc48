package org.treerename.producer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.request.OutcomeCodec;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;

/**
 * Runs the subscription of one listener. After {@link #start}, only the daemon thread of this feed uses the consumer.
 *
 * <ol>
 *   <li>Poll a batch of outcomes.
 *   <li>Call the listener for each outcome. If the program dies during this step, the batch arrives again.
 *   <li>If the consumer belongs to a group, commit the offsets behind the processed outcomes. If the program dies after
 *       the commit, the outcomes do not arrive again.
 * </ol>
 */
final class OutcomeFeed implements OutcomeSubscription {

    private static final Logger log = LoggerFactory.getLogger(OutcomeFeed.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration COMMIT = Duration.ofSeconds(5);

    private final Consumer<String, String> consumer;
    private final OutcomeAssignment assignment;
    private final OutcomeListener listener;
    private final Time time;
    private final StopSignal stop = new StopSignal();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rename-outcome-listener").unstarted(this::run);

    /** For each partition, the offset behind the last processed outcome. Only the thread of this feed uses the map. */
    private final Map<TopicPartition, OffsetAndMetadata> processed = new HashMap<>();

    OutcomeFeed(Consumer<String, String> consumer, OutcomeAssignment assignment, OutcomeListener listener, Time time) {
        this.consumer = consumer;
        this.assignment = assignment;
        this.listener = listener;
        this.time = time;
    }

    void start() {
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive() && !stop.isRequested();
    }

    @Override
    public void close(Duration timeout) {
        stop.request();
        consumer.wakeup();
        if (Thread.currentThread() == thread) {
            return;
        }
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
            end();
        }
    }

    private void step() {
        try {
            ConsumerRecords<String, String> batch = consumer.poll(POLL);
            boolean hasFailed = false;
            for (TopicPartition partition : batch.partitions()) {
                hasFailed |= !process(partition, batch.records(partition));
            }
            commit();
            assignment.addNewPartitions(consumer);
            if (hasFailed) {
                time.pause(PAUSE_AFTER_FAILURE);
            }
        } catch (WakeupException e) {
            // only close() wakes the consumer, after it has requested the stop; so the loop of this thread ends
        } catch (KafkaException e) {
            // the consumer may have lost its partitions; in this case, the outcomes arrive again
            processed.clear();
            log.warn(
                    "cannot read outcomes for a listener: {}; retrying in {} s",
                    e.getMessage(),
                    PAUSE_AFTER_FAILURE.toSeconds());
            time.pause(PAUSE_AFTER_FAILURE);
        }
    }

    /** Returns false if a call failed: the next poll then returns this record and the later records again. */
    private boolean process(TopicPartition partition, List<ConsumerRecord<String, String>> records) {
        for (ConsumerRecord<String, String> published : records) {
            if (stop.isRequested()) {
                return true;
            }
            if (!process(published)) {
                consumer.seek(partition, published.offset());
                return false;
            }
            processed.put(partition, new OffsetAndMetadata(published.offset() + 1, published.leaderEpoch(), ""));
        }
        return true;
    }

    private boolean process(ConsumerRecord<String, String> published) {
        if (published.value() == null) {
            return true;
        }
        PublishedOutcome outcome;
        try {
            outcome = new PublishedOutcome(OutcomeCodec.decode(published.value()), published.value());
        } catch (RuntimeException e) {
            log.warn(
                    "cannot read the outcome of request {} for a listener: {}; skipping this outcome",
                    published.key(),
                    e.getMessage());
            return true;
        }
        try {
            listener.ended(outcome, new OutcomePosition(published.partition(), published.offset()));
            return true;
        } catch (Exception e) {
            log.warn(
                    "a listener failed for the outcome of request {}; calling the listener again in {} s",
                    published.key(),
                    PAUSE_AFTER_FAILURE.toSeconds(),
                    e);
            return false;
        }
    }

    private void commit() {
        if (assignment.isOfGroup() && !processed.isEmpty()) {
            consumer.commitSync(processed, COMMIT);
        }
        processed.clear();
    }

    private void end() {
        try {
            commitLast();
        } catch (KafkaException e) {
            log.warn(
                    "cannot commit the offsets of processed outcomes: {}; these outcomes will arrive again",
                    e.getMessage());
        } finally {
            stop.request();
            consumer.close(CloseOptions.timeout(COMMIT));
        }
    }

    private void commitLast() {
        try {
            commit();
        } catch (WakeupException e) {
            // the wake-up from close() interrupted this commit instead of a poll; it does not interrupt the second
            // commit
            commit();
        }
    }
}
