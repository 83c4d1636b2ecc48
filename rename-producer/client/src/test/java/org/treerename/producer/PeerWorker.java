package org.treerename.producer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;

/**
 * A substitute for a worker. The substitute reads requests from a real Kafka server, and publishes the outcomes that a
 * test defines.
 */
public final class PeerWorker implements AutoCloseable {

    private static final int PARTITIONS = 3;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String servers;
    private final KafkaConsumer<String, byte[]> consumer;
    private final KafkaProducer<String, byte[]> producer;
    private final BlockingQueue<ConsumerRecord<String, byte[]>> requests = new LinkedBlockingQueue<>();
    private final List<Function<String, @Nullable String>> answers = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /**
     * Creates the topics of requests and outcomes if they do not exist. Starts to read the requests that are sent from
     * now on.
     */
    public PeerWorker(String servers) throws Exception {
        this.servers = servers;
        createTopicsIfMissing();
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers), new StringDeserializer(), new ByteArrayDeserializer());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new StringSerializer(), new ByteArraySerializer());
        List<TopicPartition> partitions =
                OutcomeAssignment.partitions(consumer.partitionsFor(Installation.DEFAULT.requests()));
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        thread = Thread.ofPlatform().daemon().name("peer-worker").start(this::run);
    }

    private void createTopicsIfMissing() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            for (String topic : List.of(Installation.DEFAULT.requests(), Installation.DEFAULT.outcomes())) {
                try {
                    admin.createTopics(Set.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                            .all()
                            .get(120, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof TopicExistsException)) {
                        throw e;
                    }
                }
            }
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                consumer.poll(POLL).forEach(this::handle);
            }
        } catch (WakeupException e) {
            // close() was called
            return;
        } finally {
            consumer.close();
        }
    }

    private void handle(ConsumerRecord<String, byte[]> request) {
        requests.add(request);
        for (Function<String, @Nullable String> answer : answers) {
            String outcome = answer.apply(id(request.headers()));
            if (outcome != null) {
                publish(id(request.headers()), outcome);
            }
        }
    }

    /**
     * Adds a function that receives the id of each later request. The function returns the outcome to publish, or null
     * for no outcome.
     */
    public void answer(Function<String, @Nullable String> answer) {
        answers.add(answer);
    }

    /** Returns the request id from the headers of a record. Every record that the library sends has this header. */
    public static String id(Headers headers) {
        return new String(headers.lastHeader("ce_id").value(), StandardCharsets.UTF_8);
    }

    /** Publishes an outcome. Returns when Kafka has acknowledged the outcome. */
    public void publish(String requestId, String outcome) {
        publish(null, requestId, outcome);
    }

    void publish(@Nullable Integer partition, String requestId, String outcome) {
        try {
            producer.send(new ProducerRecord<>(
                            Installation.DEFAULT.outcomes(),
                            partition,
                            requestId,
                            outcome.getBytes(StandardCharsets.UTF_8)))
                    .get(120, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns the next request with this id. Fails if no request, with this id or with another id, arrives for 120 s.
     */
    public ConsumerRecord<String, byte[]> request(String requestId) throws InterruptedException {
        List<String> others = new ArrayList<>();
        while (true) {
            ConsumerRecord<String, byte[]> request = requests.poll(120, TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("no request " + requestId + " within 120 s; other requests: " + others);
            }
            String id = id(request.headers());
            if (requestId.equals(id)) {
                return request;
            }
            others.add(id);
        }
    }

    /** Adds a partition to the topic of outcomes, and returns the number of the new partition. */
    int addPartitionOfOutcomes() throws Exception {
        int count = producer.partitionsFor(Installation.DEFAULT.outcomes()).size();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createPartitions(Map.of(Installation.DEFAULT.outcomes(), NewPartitions.increaseTo(count + 1)))
                    .all()
                    .get(120, TimeUnit.SECONDS);
        }
        return count;
    }

    @Override
    public void close() throws InterruptedException {
        consumer.wakeup();
        thread.join(10_000);
        producer.close(Duration.ofSeconds(5));
    }
}
