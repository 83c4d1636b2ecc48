package org.treerename.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.treerename.installation.Installation;

/**
 * A client that writes request records and reads outcome records with only the client of Kafka. The client uses no code
 * of tree rename except the names of the topics. The request records have no keys, so the caller chooses the partition
 * of each request. The client counts the outcomes of each request. Any thread may call this class.
 */
final class RawClient implements AutoCloseable {

    private static final String REQUESTS = Installation.DEFAULT.requests();
    private static final String OUTCOMES = Installation.DEFAULT.outcomes();
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration READY = Duration.ofSeconds(30);
    private static final long PATIENCE_MINUTES = 15;

    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread reader;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<String, CompletableFuture<RawOutcome>> sent = new ConcurrentHashMap<>();
    private final Map<String, List<RawOutcome>> received = new ConcurrentHashMap<>();
    private final AtomicInteger unreadable = new AtomicInteger();

    RawClient(Stage stage) {
        String servers = stage.kafkaBootstrapServers();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "enable.auto.commit", false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(OUTCOMES, READY).stream()
                .map(partition -> new TopicPartition(OUTCOMES, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        // seekToEnd takes effect only in this call; after this call, the consumer reads every new outcome
        partitions.forEach(partition -> consumer.position(partition, READY));
        reader = Thread.ofPlatform().name("outcomes").start(this::read);
    }

    /** Writes a request into a partition, and waits for the first outcome of this request. */
    RawOutcome ask(String namespace, String source, String destination, int partition) throws Exception {
        return send(namespace, source, destination, partition).get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    }

    /** Writes a request into a partition. The returned future completes with the first outcome of this request. */
    CompletableFuture<RawOutcome> send(String namespace, String source, String destination, int partition) {
        String id = UUID.randomUUID().toString();
        byte[] value = Es.text(Es.JSON
                        .createObjectNode()
                        .put("request_id", id)
                        .put("namespace", namespace)
                        .put("source", source)
                        .put("destination", destination)
                        .put("on_existing", "fail")
                        .put("requested_by", "benchmark"))
                .getBytes(StandardCharsets.UTF_8);
        CompletableFuture<RawOutcome> outcome = new CompletableFuture<>();
        sent.put(id, outcome);
        var unused = producer.send(new ProducerRecord<>(REQUESTS, partition, null, value), (written, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    private void read() {
        while (!closed.get()) {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                try {
                    RawOutcome outcome = RawOutcome.parse(message.value());
                    received.computeIfAbsent(outcome.requestId(), id -> new CopyOnWriteArrayList<>())
                            .add(outcome);
                    CompletableFuture<RawOutcome> waiting = sent.get(outcome.requestId());
                    if (waiting != null) {
                        waiting.complete(outcome);
                    }
                } catch (IOException | RuntimeException e) {
                    unreadable.incrementAndGet();
                }
            }
        }
        consumer.close();
    }

    /**
     * Waits one second, in which wrong second outcomes could arrive. Then checks that each request has exactly one
     * outcome, and returns these outcomes.
     *
     * @throws IllegalStateException if a request has no outcome, or more than one outcome
     */
    List<RawOutcome> requireOneEach(Setting setting) {
        setting.time().pause(Duration.ofSeconds(1)); // a wrong second outcome would arrive within this time
        requireOneEach(sent.keySet().stream().toList(), received, unreadable.get());
        return sent.keySet().stream()
                .map(id -> received.getOrDefault(id, List.of()).getFirst())
                .toList();
    }

    /**
     * Throws {@link IllegalStateException} if a request does not have exactly one outcome, or if an outcome record was
     * unreadable.
     */
    static void requireOneEach(List<String> sent, Map<String, List<RawOutcome>> received, int unreadable) {
        List<String> wrong = sent.stream()
                .filter(id -> received.getOrDefault(id, List.of()).size() != 1)
                .map(id -> id + " has " + received.getOrDefault(id, List.of()).size() + " outcomes")
                .toList();
        if (!wrong.isEmpty() || unreadable > 0) {
            throw new IllegalStateException("expected exactly one outcome for each request (requests: " + sent.size()
                    + "); unreadable outcome records: " + unreadable
                    + "; requests with no outcome or several outcomes: " + wrong.size() + ", for example "
                    + wrong.subList(0, Math.min(10, wrong.size())));
        }
    }

    @Override
    public void close() {
        closed.set(true);
        producer.close();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
