package org.treerename.janitor.deadletter;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.treerename.installation.Installation;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.kafka.KafkaEntry;
import org.treerename.store.NoAnswerException;

/**
 * Reads the topic {@link Installation#deadLetters} without a consumer group. So the topic can be read any number of
 * times. Only one thread calls this class.
 */
public final class KafkaDeadLetters implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String topic;
    private final int polls;

    private KafkaDeadLetters(KafkaConsumer<byte[], byte[]> consumer, String topic, int polls) {
        this.consumer = consumer;
        this.topic = topic;
        this.polls = polls;
    }

    /** Returns the JSON object of a dead letter, without its content. */
    public static ObjectNode json(DeadLetter letter) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("place", letter.place())
                .put("at", letter.at().toString())
                .put("request_id", letter.requestId().orElse(null))
                .put("reason", letter.header(DeadLetter.REASON))
                .put("message", letter.header(DeadLetter.MESSAGE));
    }

    /**
     * Creates a reader that connects at its first use.
     *
     * @param patience the time without an answer after which a read throws {@link NoAnswerException}
     */
    public static KafkaDeadLetters connect(KafkaClientSettings settings, Duration patience) {
        Map<String, Object> decided = Map.of(
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) patience.toMillis());
        return new KafkaDeadLetters(
                settings.client(
                        decided,
                        all -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())),
                settings.installation().deadLetters(),
                (int) Math.max(1, patience.dividedBy(POLL)));
    }

    /** Passes all dead letters that the topic contains now to {@code reader}, in the order of each partition. */
    public void all(Consumer<DeadLetter> reader) {
        read(Long.MAX_VALUE, reader);
    }

    /**
     * Passes the newest dead letters of each partition to {@code reader}, at most {@code most} per partition. In each
     * partition, the oldest of these dead letters is first.
     */
    public void youngest(int most, Consumer<DeadLetter> reader) {
        read(most, reader);
    }

    private void read(long most, Consumer<DeadLetter> reader) {
        answered(() -> {
            List<TopicPartition> partitions = partitions();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            begins.forEach((partition, begin) -> {
                long first = ends.getOrDefault(partition, begin) - most;
                if (first > begin) {
                    consumer.seek(partition, first);
                }
            });
            int silent = 0;
            ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            while (!ends.isEmpty()) {
                var messages = consumer.poll(POLL);
                messages.forEach(message -> reader.accept(new DeadLetter(message)));
                silent = messages.isEmpty() ? silent + 1 : 0;
                throwIfSilentTooLong(silent);
                ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
            }
        });
    }

    /**
     * Returns the dead letter at this position. Returns empty if the topic has no record at this position, or if Kafka
     * has deleted the record.
     */
    public Optional<DeadLetter> at(int partition, long offset) {
        TopicPartition place = new TopicPartition(topic, partition);
        Map<Long, DeadLetter> found = new HashMap<>();
        answered(() -> {
            if (!partitions().contains(place)
                    || consumer.endOffsets(List.of(place)).values().iterator().next() <= offset) {
                return;
            }
            consumer.assign(List.of(place));
            consumer.seek(place, offset);
            int silent = 0;
            try {
                while (consumer.position(place) <= offset) {
                    consumer.poll(POLL).forEach(message -> found.put(message.offset(), new DeadLetter(message)));
                    throwIfSilentTooLong(++silent);
                }
            } catch (OffsetOutOfRangeException e) {
                // Kafka has deleted the record, so the offset is out of range
            }
        });
        return Optional.ofNullable(found.get(offset));
    }

    private List<TopicPartition> partitions() {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new NoAnswerException("there is no topic " + topic + "; create it, or correct --prefix", null);
        }
        return partitions;
    }

    private void throwIfSilentTooLong(int silent) {
        if (silent > polls) {
            throw new NoAnswerException(
                    "cannot read " + topic + ": Kafka did not answer for "
                            + POLL.multipliedBy(polls).toMillis() + " ms",
                    null);
        }
    }

    private void answered(Runnable reading) {
        try {
            reading.run();
        } catch (AuthenticationException e) {
            throw KafkaEntry.refused(e);
        } catch (KafkaException e) {
            throw new NoAnswerException("cannot read " + topic + ": " + e, e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
