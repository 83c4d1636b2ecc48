package org.treerename.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.treerename.kafka.ProgressCodec;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.runtime.Wake;

/**
 * Reads the progress topic after the first listener was registered. The reader has its own daemon thread and consumer,
 * so that errors of this reader do not stop the reader of outcomes. It connects {@link #LATE} after the first listener
 * was registered, and then finds the reports that were written since: most renames have ended by then, and so need no
 * second connection. Any thread may register a listener, remove a listener or stop the reader.
 */
final class ProgressReader {

    private static final Logger log = LoggerFactory.getLogger(ProgressReader.class);

    private static final Duration LATE = Duration.ofSeconds(1);

    /** The largest difference between the clocks of this machine and of a process that writes reports. */
    private static final Duration CLOCKS = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);
    /** Zero, because an orderly close would first wait up to half a second for the running fetch. */
    private static final Duration CLOSE = Duration.ZERO;

    private final Supplier<Consumer<String, String>> consumers;
    private final String topic;
    private final Duration partitionCheck;
    private final Time time;
    private final Listening listening = new Listening();
    private final StopSignal stop = new StopSignal();

    /** Completes after the first attempt to find the end of the topic, even if the attempt failed. */
    private final CompletableFuture<Void> begun = new CompletableFuture<>();

    private final Wake needed = new Wake();

    /** The time of the first reports to read; null for the reports after the end of the topic. */
    private volatile @Nullable Instant from;

    private @Nullable Thread thread;
    private @Nullable Long checkedNanos;

    ProgressReader(Supplier<Consumer<String, String>> consumers, ProducerSettings settings, Time time) {
        this.consumers = consumers;
        this.topic = settings.installation().progress();
        this.partitionCheck = settings.partitionCheck();
        this.time = time;
    }

    /** Registers a listener. The listener receives reports until {@link #forget} removes it. */
    Listening.Registration listen(String requestId, ProgressListener listener) {
        start(time.now().minus(CLOCKS));
        return listening.add(requestId, listener);
    }

    /**
     * Starts the reader at once if the reader is not connected yet. Waits until the reader has found the end of the
     * topic. The reader then reads every record that follows this end.
     *
     * @param timeout the longest time to wait. If the reader has not found the end after this time, it may miss records
     *     that are written now
     */
    void begin(Duration timeout) {
        start(null);
        needed.wake();
        new Deadline(time, timeout).await(begun);
    }

    private synchronized void start(@Nullable Instant first) {
        if (thread == null && !stop.isRequested()) {
            from = first;
            thread = Thread.ofPlatform().daemon().name("rename-progress").start(this::run);
        }
    }

    void forget(Listening.Registration registration) {
        listening.remove(registration);
    }

    /** Stops the reader. The thread of the reader may continue for a short time after this method has returned. */
    synchronized void stop() {
        stop.request();
        begun.complete(null);
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void run() {
        var unused = time.await(needed, LATE);
        if (stop.isRequested()) {
            return;
        }
        try (Closing consumer = new Closing(consumers.get())) {
            while (!stop.isRequested()) {
                step(consumer.consumer());
            }
        } catch (KafkaException e) {
            log.warn("stopped reading progress from {}: {}; outcomes are not affected", topic, e.getMessage());
        } finally {
            begun.complete(null);
        }
    }

    private record Closing(Consumer<String, String> consumer) implements AutoCloseable {
        @Override
        public void close() {
            // clear the interrupt flag; otherwise, the close of the consumer would fail with an InterruptException
            var unused = Thread.interrupted();
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    /** Polls once, and processes the records. If there is no record, blocks for up to half a second. */
    void step(Consumer<String, String> consumer) {
        try {
            if (isCheckDue()) {
                addPartitions(consumer);
            }
            begun.complete(null);
            if (consumer.assignment().isEmpty()) {
                time.pause(POLL);
            } else {
                consumer.poll(POLL).forEach(this::process);
            }
        } catch (InterruptException e) {
            // stop() interrupts this thread
            return;
        } catch (KafkaException e) {
            begun.complete(null);
            if (!stop.isRequested()) {
                log.warn(
                        "cannot read {}: {}; retrying in {} s", topic, e.getMessage(), PAUSE_AFTER_FAILURE.toSeconds());
                time.pause(PAUSE_AFTER_FAILURE);
            }
        }
    }

    private boolean isCheckDue() {
        Long checked = checkedNanos;
        return checked == null || time.nanos() - checked >= partitionCheck.toNanos();
    }

    private void addPartitions(Consumer<String, String> consumer) {
        checkedNanos = time.nanos();
        List<TopicPartition> added = OutcomeAssignment.partitions(consumer.partitionsFor(topic));
        added.removeAll(consumer.assignment());
        if (!added.isEmpty()) {
            Map<TopicPartition, Long> starts = starts(consumer, added);
            List<TopicPartition> all = new ArrayList<>(consumer.assignment());
            all.addAll(added);
            consumer.assign(all);
            starts.forEach(consumer::seek);
        }
    }

    private Map<TopicPartition, Long> starts(Consumer<String, String> consumer, List<TopicPartition> added) {
        Map<TopicPartition, Long> starts = new HashMap<>(consumer.endOffsets(added));
        Instant first = from;
        if (first != null) {
            Map<TopicPartition, Long> times = new HashMap<>();
            added.forEach(partition -> times.put(partition, first.toEpochMilli()));
            consumer.offsetsForTimes(times).forEach((partition, found) -> {
                // if there is no report since that time, the partition is read from the end, which was read earlier
                if (found != null) {
                    starts.put(partition, found.offset());
                }
            });
        }
        return starts;
    }

    private void process(ConsumerRecord<String, String> reported) {
        if (reported.key() == null || reported.value() == null || !listening.isAwaited(reported.key())) {
            return;
        }
        try {
            listening.report(ProgressCodec.decode(reported.value()));
        } catch (IllegalArgumentException e) {
            log.debug(
                    "cannot read a progress report of request {}: {}; skipping this report",
                    reported.key(),
                    e.getMessage());
        }
    }
}
