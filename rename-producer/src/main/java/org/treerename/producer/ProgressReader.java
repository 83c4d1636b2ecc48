package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.wire.ProgressCodec;
import org.treerename.wire.Topics;

/**
 * Reads progress once somebody listens, with a daemon thread and a consumer of its own: whatever goes wrong with it,
 * outcomes are read all the same. Any thread may listen and stop it.
 */
final class ProgressReader {

    private static final Logger log = LoggerFactory.getLogger(ProgressReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Supplier<Consumer<String, String>> consumers;
    private final Duration partitionCheck;
    private final Time time;
    private final Listening listening = new Listening();
    private final StopSignal stop = new StopSignal();

    /** Completes once the first attempt to find the end of the topic is over, whether it succeeded or not. */
    private final CompletableFuture<Void> begun = new CompletableFuture<>();

    private @Nullable Thread thread;
    private @Nullable Long checkedNanos;

    ProgressReader(Supplier<Consumer<String, String>> consumers, Duration partitionCheck, Time time) {
        this.consumers = consumers;
        this.partitionCheck = partitionCheck;
        this.time = time;
    }

    /** From now on it is told, until it is forgotten. */
    Listening.Registration listen(String requestId, ProgressListener listener) {
        start();
        return listening.add(requestId, listener);
    }

    /**
     * Starts to read, if nothing is read yet, and waits until records that are written from now on will be read.
     *
     * @param most how long to wait; then, or if the topic cannot be read, records that are written now may be missed
     */
    void begin(Duration most) {
        start();
        new Deadline(time, most).await(begun);
    }

    private synchronized void start() {
        if (thread == null && !stop.isRequested()) {
            thread = Thread.ofPlatform().daemon().name("rename-progress").start(this::run);
        }
    }

    void forget(Listening.Registration registration) {
        listening.remove(registration);
    }

    /** Its thread ends soon. */
    synchronized void stop() {
        stop.request();
        begun.complete(null);
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void run() {
        try (Closing consumer = new Closing(consumers.get())) {
            while (!stop.isRequested()) {
                step(consumer.consumer());
            }
        } catch (KafkaException e) {
            log.warn("no progress is read from {}: {}", Topics.PROGRESS, e.getMessage());
        } finally {
            begun.complete(null);
        }
    }

    private record Closing(Consumer<String, String> consumer) implements AutoCloseable {
        @Override
        public void close() {
            // a thread that is interrupted would not let it say farewell
            var unused = Thread.interrupted();
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    /** Reads what is there. */
    void step(Consumer<String, String> consumer) {
        try {
            if (isCheckDue()) {
                addPartitions(consumer);
            }
            begun.complete(null);
            if (consumer.assignment().isEmpty()) {
                time.pause(POLL);
            } else {
                consumer.poll(POLL).forEach(this::take);
            }
        } catch (InterruptException e) {
            // it is to stop
            return;
        } catch (KafkaException e) {
            begun.complete(null);
            if (!stop.isRequested()) {
                log.warn("cannot read {}: {}; trying again", Topics.PROGRESS, e.getMessage());
                time.pause(PAUSE_AFTER_FAILURE);
            }
        }
    }

    private boolean isCheckDue() {
        Long checked = checkedNanos;
        return checked == null || time.nanos() - checked >= partitionCheck.toNanos();
    }

    /** What was told before is old. */
    private void addPartitions(Consumer<String, String> consumer) {
        checkedNanos = time.nanos();
        List<TopicPartition> added = OutcomeReader.partitions(consumer.partitionsFor(Topics.PROGRESS));
        added.removeAll(consumer.assignment());
        if (!added.isEmpty()) {
            List<TopicPartition> all = new ArrayList<>(consumer.assignment());
            all.addAll(added);
            consumer.assign(all);
            consumer.seekToEnd(added);
            added.forEach(consumer::position);
        }
    }

    private void take(ConsumerRecord<String, String> told) {
        if (told.key() == null || told.value() == null || !listening.isAwaited(told.key())) {
            return;
        }
        try {
            listening.tell(ProgressCodec.decode(told.value()));
        } catch (IllegalArgumentException e) {
            log.debug("progress of request {} cannot be read: {}", told.key(), e.getMessage());
        }
    }
}
