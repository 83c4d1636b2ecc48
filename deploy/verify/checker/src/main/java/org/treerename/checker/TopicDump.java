package org.treerename.checker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;

/**
 * Reads the requests, the outcomes and the dead letters from given offsets up to the current ends. Only one thread
 * calls this class.
 */
final class TopicDump implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final Consumer<byte[], byte[]> consumer;
    private final Installation installation;

    TopicDump(String bootstrapServers, Installation installation) {
        this.installation = installation;
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Returns the current end offset of each partition. */
    Map<TopicPartition, Long> ends() {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : List.of(installation.requests(), installation.outcomes(), installation.deadLetters())) {
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
        }
        return consumer.endOffsets(partitions);
    }

    /** Reads all records between these offsets and the current ends. */
    Records read(Map<TopicPartition, Long> begins, boolean oneClock) {
        Map<TopicPartition, Long> ends = ends();
        consumer.assign(ends.keySet());
        ends.keySet().forEach(partition -> consumer.seek(partition, begins.getOrDefault(partition, 0L)));
        Map<String, List<ConsumerRecord<byte[], byte[]>>> found = new TreeMap<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL)
                    .forEach(message -> found.computeIfAbsent(message.topic(), none -> new ArrayList<>())
                            .add(message));
        }
        return new Records(
                found.getOrDefault(installation.requests(), List.of()).stream()
                        .map(message -> new Records.Request(
                                new JournalDump.Delivery(message.partition(), message.offset()),
                                Instant.ofEpochMilli(message.timestamp()),
                                text(message.value())))
                        .toList(),
                found.getOrDefault(installation.outcomes(), List.of()).stream()
                        .map(message -> new Records.Outcome(
                                text(message.key()), Instant.ofEpochMilli(message.timestamp()), text(message.value())))
                        .sorted(Comparator.comparing(Records.Outcome::publishedAt))
                        .toList(),
                found.getOrDefault(installation.deadLetters(), List.of()).stream()
                        .map(message -> new Records.DeadLetter(
                                new JournalDump.Delivery(
                                        Integer.parseInt(header(message, "dlt-partition")),
                                        Long.parseLong(header(message, "dlt-offset"))),
                                header(message, "dlt-reason")))
                        .toList(),
                oneClock);
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String key) {
        Header header = Objects.requireNonNull(message.headers().lastHeader(key), key);
        return text(header.value());
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
