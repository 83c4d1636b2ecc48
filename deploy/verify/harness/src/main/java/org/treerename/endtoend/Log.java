package org.treerename.endtoend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.janitor.admin.TopicCreation;
import org.treerename.testservers.TestServers;

/**
 * Sends requests to the real topics, and reads outcomes and dead letters. Only one thread may use an object of this
 * class.
 */
final class Log implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The number of partitions of the request topic. */
    static final int PARTITIONS = 8;

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(5);

    private final Installation installation;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> outcomes = new HashMap<>();
    private final Map<Place, List<ConsumerRecord<byte[], byte[]>>> deadLetters = new HashMap<>();

    private record Place(String partition, String offset) {}

    private Log(Map<String, Object> configuration, Installation installation) {
        this.installation = installation;
        producer = new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer());
        consumer = new KafkaConsumer<>(configuration, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : List.of(installation.outcomes(), installation.deadLetters())) {
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
        }
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    /** Opens the topics at their current end. Does not read earlier outcomes. */
    static Log open() {
        return at(TestServers.kafkaBootstrapServers());
    }

    /** Opens the topics on these brokers at their current end. */
    static Log at(String servers) {
        return at(Map.of("bootstrap.servers", servers));
    }

    /** Opens the topics of an installation at their current end. */
    static Log of(Installation installation) {
        return at(Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()), installation);
    }

    /** Opens the topics at their current end. The Kafka clients use this configuration. */
    static Log at(Map<String, Object> configuration) {
        return at(configuration, Installation.DEFAULT);
    }

    private static Log at(Map<String, Object> configuration, Installation installation) {
        try (Admin admin = Admin.create(configuration)) {
            TopicCreation.create(admin, installation, PARTITIONS, (short) 1);
        }
        return new Log(configuration, installation);
    }

    RecordMetadata send(int partition, @Nullable String key, byte[] value) {
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        try {
            return producer.send(new ProducerRecord<>(installation.requests(), partition, keyBytes, value))
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a request that is part of a trace. */
    void sendIn(String traceparent, int partition, String json) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(installation.requests(), partition, null, json.getBytes(StandardCharsets.UTF_8));
        message.headers().add("traceparent", traceparent.getBytes(StandardCharsets.UTF_8));
        var unused = producer.send(message);
        producer.flush();
    }

    /** Sends a request in a transaction, and aborts this transaction when Kafka has stored the record. */
    void sendAborted(int partition, String json) {
        Map<String, Object> configuration = Map.of(
                "bootstrap.servers",
                TestServers.kafkaBootstrapServers(),
                "transactional.id",
                "aborted-" + UUID.randomUUID());
        try (KafkaProducer<byte[], byte[]> transactional =
                new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer())) {
            transactional.initTransactions();
            transactional.beginTransaction();
            var unused = transactional.send(new ProducerRecord<>(
                    installation.requests(), partition, null, json.getBytes(StandardCharsets.UTF_8)));
            transactional.flush();
            transactional.abortTransaction();
        }
    }

    void send(int partition, String json) {
        send(partition, null, json.getBytes(StandardCharsets.UTF_8));
    }

    /** Blocks until a request has {@code n} outcomes, and returns the text of the n-th outcome. */
    String outcomeText(String requestId, int n) {
        Awaitility.await("outcome " + n + " of " + requestId)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(BETWEEN_POLLS)
                .until(() -> published(requestId).size() >= n);
        return text(published(requestId).get(n - 1));
    }

    JsonNode outcome(String requestId) {
        try {
            return Es.JSON.readTree(outcomeText(requestId, 1));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> outcomes(String requestId) {
        return published(requestId).stream().map(Log::text).toList();
    }

    private static String text(ConsumerRecord<byte[], byte[]> message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }

    /** Polls once. Returns all outcome records of a request that the consumer has read so far. */
    List<ConsumerRecord<byte[], byte[]>> published(String requestId) {
        poll();
        return List.copyOf(outcomes.getOrDefault(requestId, List.of()));
    }

    /** Reads all records up to the current ends of the topics. */
    void catchUp() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            poll();
        }
    }

    /** Returns the distinct outcomes of a request. Considers only records that the consumer has read so far. */
    Set<String> outcomesRead(String requestId) {
        return outcomes.getOrDefault(requestId, List.of()).stream()
                .map(Log::text)
                .collect(Collectors.toSet());
    }

    /** Returns the dead letters of a request record that the consumer has read so far. */
    List<ConsumerRecord<byte[], byte[]>> deadLettersRead(RecordMetadata place) {
        Place of = new Place(String.valueOf(place.partition()), String.valueOf(place.offset()));
        return List.copyOf(deadLetters.getOrDefault(of, List.of()));
    }

    /** Blocks until a request record has a dead letter, and returns the dead letter. */
    ConsumerRecord<byte[], byte[]> deadLetter(RecordMetadata place) {
        Awaitility.await("dead letter of " + place)
                .atMost(PATIENCE)
                .until(() -> !deadLetters(place).isEmpty());
        return deadLetters(place).getFirst();
    }

    List<ConsumerRecord<byte[], byte[]>> deadLetters(RecordMetadata place) {
        poll();
        return deadLettersRead(place);
    }

    static String header(ConsumerRecord<byte[], byte[]> message, String key) {
        return new String(message.headers().lastHeader(key).value(), StandardCharsets.UTF_8);
    }

    private void poll() {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
            if (message.topic().equals(installation.outcomes())) {
                String requestId = new String(message.key(), StandardCharsets.UTF_8);
                outcomes.computeIfAbsent(requestId, id -> new ArrayList<>()).add(message);
            } else {
                Place of = new Place(header(message, "dlt-partition"), header(message, "dlt-offset"));
                deadLetters.computeIfAbsent(of, place -> new ArrayList<>()).add(message);
            }
        }
    }

    @Override
    public void close() {
        producer.close();
        consumer.close();
    }
}
