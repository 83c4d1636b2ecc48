package org.treerename.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Carrier;
import org.treerename.rename.Delivery;
import org.treerename.rename.Place;
import org.treerename.rename.Renamer.Answer;
import org.treerename.wire.RequestCodec;
import org.treerename.wire.RequestCodec.Decoded;
import org.treerename.wire.Topics;

/**
 * Takes requests out of the log, one at a time, and has each carried to its end. The thread that calls {@link #run} polls
 * all the while, so that a long rename does not cost the worker its partitions; the rename runs on a thread of its own.
 *
 * <ol>
 *   <li>carry the request to its outcome, or keep the record as a dead letter: if we die here, it is delivered again, and
 *       the journal knows it;
 *   <li>commit the offset: if we die before it, the request is delivered again and answered from the journal.
 * </ol>
 */
final class RequestLoop {

    private static final Logger log = LoggerFactory.getLogger(RequestLoop.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(500);
    private static final Duration BUSY_POLL = Duration.ofMillis(20);

    /** The end of the year 9999: where a topic takes its producers' time stamps, any number may come. */
    private static final long LATEST_MILLIS = 253_402_300_799_999L;

    private final Consumer<byte[], byte[]> consumer;
    private final Function<Delivery, Answer> renamer;
    private final DeadLetters deadLetters;
    private final Carrier carrier;
    private final Runnable beforeOffset;
    private boolean busy;

    /**
     * @param beforeOffset called just before an offset is let go
     */
    RequestLoop(
            Consumer<byte[], byte[]> consumer,
            Function<Delivery, Answer> renamer,
            DeadLetters deadLetters,
            Carrier carrier,
            Runnable beforeOffset) {
        this.consumer = consumer;
        this.renamer = renamer;
        this.deadLetters = deadLetters;
        this.carrier = carrier;
        this.beforeOffset = beforeOffset;
    }

    static Map<String, Object> configuration(WorkerSettings settings) {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                settings.kafkaBootstrapServers(),
                ConsumerConfig.GROUP_ID_CONFIG,
                settings.group().id(),
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                settings.group().protocol().kafkaName(),
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                ByteArrayDeserializer.class);
    }

    /** Runs until the process is asked to stop; what has begun by then is ended or given back. */
    void run() {
        try {
            consumer.subscribe(Set.of(Topics.REQUESTS), new PauseWhileBusy());
            while (!carrier.stop().isRequested()) {
                for (ConsumerRecord<byte[], byte[]> message : poll(IDLE_POLL)) {
                    carry(message);
                }
            }
        } finally {
            consumer.close();
        }
    }

    private ConsumerRecords<byte[], byte[]> poll(Duration length) {
        try {
            return consumer.poll(length);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        }
    }

    private void carry(ConsumerRecord<byte[], byte[]> message) {
        busy = true;
        consumer.pause(consumer.assignment());
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread.ofPlatform()
                .name("rename-" + message.partition() + "@" + message.offset())
                .start(() -> {
                    try {
                        ended.complete(carried(message));
                    } catch (RuntimeException | Error e) {
                        ended.completeExceptionally(e);
                    }
                });
        while (!ended.isDone() && !carrier.stop().isAbandoned()) {
            poll(BUSY_POLL);
        }
        busy = false;
        if (carrier.stop().isAbandoned()) {
            log.warn(
                    "fenced: what became of {}-{}@{} is told by the journal",
                    message.topic(),
                    message.partition(),
                    message.offset());
            return;
        }
        if (result(ended)) {
            commit(message);
        }
        consumer.resume(consumer.assignment());
    }

    /** Whether the offset may be let go. */
    private boolean carried(ConsumerRecord<byte[], byte[]> message) {
        return switch (RequestCodec.decode(message.value())) {
            case Decoded.Unusable unusable -> keep(message, unusable.reason());
            case Decoded.Usable usable -> {
                Place place = new Place(message.topic(), message.partition(), message.offset());
                Instant appendedAt = Instant.ofEpochMilli(Math.clamp(message.timestamp(), 0, LATEST_MILLIS));
                Delivery delivery = new Delivery(usable.asked(), usable.digest(), place, appendedAt);
                yield switch (renamer.apply(delivery)) {
                    case Answer.Published published -> true;
                    case Answer.Parked parked -> true;
                    case Answer.Reused reused -> keep(message, "request_id_reused");
                    case Answer.Stopped stopped -> false;
                };
            }
        };
    }

    private boolean keep(ConsumerRecord<byte[], byte[]> message, String reason) {
        carrier.persist(
                "the dead letter of " + message.topic() + "-" + message.partition() + "@" + message.offset(),
                () -> deadLetters.keep(message, reason));
        log.warn(
                "{}-{}@{} went to the dead letters: {}",
                message.topic(),
                message.partition(),
                message.offset(),
                reason);
        return true;
    }

    /** An unexpected failure ends the worker: what it had begun is left as it stands in the journal. */
    private static boolean result(Future<Boolean> ended) {
        try {
            return ended.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request could not be carried", e.getCause());
        }
    }

    /** A refused commit costs nothing: the record is delivered again and answered from the journal. */
    private void commit(ConsumerRecord<byte[], byte[]> message) {
        TopicPartition partition = new TopicPartition(message.topic(), message.partition());
        if (!consumer.assignment().contains(partition)) {
            log.info("{} moved to another worker while {} was carried", partition, message.offset());
            return;
        }
        beforeOffset.run();
        try {
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(message.offset() + 1)));
        } catch (KafkaException e) {
            log.warn("the offset {} of {} was not committed: {}", message.offset() + 1, partition, e.toString());
        }
    }

    /** Partitions that come while a rename runs wait until it has ended. */
    private final class PauseWhileBusy implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            log.info("took over {}", partitions);
            if (busy) {
                consumer.pause(partitions);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            log.info("gave up {}", partitions);
        }
    }
}
