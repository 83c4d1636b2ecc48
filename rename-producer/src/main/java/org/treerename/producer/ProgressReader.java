package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private @Nullable Thread thread;
    private @Nullable Long checkedNanos;

    ProgressReader(Supplier<Consumer<String, String>> consumers, Duration partitionCheck, Time time) {
        this.consumers = consumers;
        this.partitionCheck = partitionCheck;
        this.time = time;
    }

    /** From now on it is told, until it is forgotten. */
    synchronized Listening.Ear listen(String requestId, ProgressListener listener) {
        if (thread == null && !stop.isRequested()) {
            thread = Thread.ofPlatform().daemon().name("rename-progress").start(this::run);
        }
        return listening.add(requestId, listener);
    }

    void forget(Listening.Ear ear) {
        listening.remove(ear);
    }

    /** Its thread ends soon. */
    synchronized void stop() {
        stop.request();
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
            if (consumer.assignment().isEmpty()) {
                time.pause(POLL);
            } else {
                consumer.poll(POLL).forEach(this::take);
            }
        } catch (InterruptException e) {
            // it is to stop
            return;
        } catch (KafkaException e) {
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
