package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.treerename.endtoend.Unpacked.Ended;
import org.treerename.installation.Installation;
import org.treerename.testservers.Needs;
import org.treerename.testservers.TestServers;

/** Tests the examples of clients in other languages, with real servers and a real worker. */
final class OtherClientsIT {

    private static final Path EXAMPLES = Unpacked.module().resolveSibling("examples");

    /** A path with characters that JSON must escape, and with a character of two bytes. */
    private static final String SOURCE = "/the \"old\" \\ dir é";

    @Test
    @Needs("python3-confluent-kafka")
    void the_example_in_python_renames_and_reports_the_outcome() throws IOException, InterruptedException {
        // use this Python, because another Python on the search path may lack the library
        assertRenames(
                "/usr/bin/python3", EXAMPLES.resolve("python/rename_request.py").toString());
    }

    @Test
    @Needs("kcat")
    void the_example_with_kcat_renames_and_reports_the_outcome() throws IOException, InterruptedException {
        assertRenames(EXAMPLES.resolve("kcat/rename-request").toString());
    }

    private static void assertRenames(String... program) throws IOException, InterruptedException {
        try (KafkaConsumer<String, String> requests = requestsFromNow();
                Workers workers = Workers.start(1)) {
            assertThat(workers.ids()).hasSize(1);
            Tree tree = Tree.create().directories(SOURCE).files(SOURCE + "/1").index();

            Ended completed = Unpacked.run(process(tree, SOURCE, "/new", program));

            assertThat(completed.code()).as(completed.err()).isZero();
            JsonNode outcome = Es.JSON.readTree(completed.out());
            assertThat(outcome.path("status").asText()).isEqualTo("completed");
            assertThat(outcome.path("moved").asInt()).isEqualTo(2);
            assertThat(completed.err())
                    .isEqualTo("request " + outcome.path("request_id").asText() + "\n");
            assertThat(Es.all(tree.name()).stream()
                            .map(hit -> hit.path("_source").path("path").asText()))
                    .containsExactlyInAnyOrder("/new", "/new/1");
            assertIsInThePartitionOfJava(requests, outcome.path("request_id").asText(), tree.name() + SOURCE);

            Ended rejected = Unpacked.run(process(tree, "/missing", "/other", program));

            assertThat(rejected.code()).as(rejected.err()).isEqualTo(1);
            assertThat(Es.JSON.readTree(rejected.out()).path("reason").asText()).isEqualTo("source_not_found");
        }
    }

    private static ProcessBuilder process(Tree tree, String source, String destination, String... program) {
        String[] arguments = Stream.concat(
                        Stream.of(program).skip(1),
                        Stream.of(TestServers.kafkaBootstrapServers(), tree.name(), source, destination))
                .toArray(String[]::new);
        return Unpacked.process(Path.of(program[0]), arguments);
    }

    private static KafkaConsumer<String, String> requestsFromNow() {
        Log.open().close();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                TestServers.kafkaBootstrapServers(),
                "group.id",
                UUID.randomUUID().toString());
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(Installation.DEFAULT.requests()).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        return consumer;
    }

    /**
     * Asserts that a request is in the partition that Java clients choose for the key of the request. Requests in
     * different partitions have no order.
     */
    private static void assertIsInThePartitionOfJava(
            KafkaConsumer<String, String> requests, String requestId, String key) {
        Awaitility.await("the request " + requestId).atMost(Log.PATIENCE).until(() -> {
            for (ConsumerRecord<String, String> request : requests.poll(Duration.ofMillis(100))) {
                if (request.value().contains(requestId)) {
                    assertThat(request.key()).isEqualTo(key);
                    assertThat(request.partition())
                            .isEqualTo(BuiltInPartitioner.partitionForKey(
                                    key.getBytes(StandardCharsets.UTF_8), Log.PARTITIONS));
                    return true;
                }
            }
            return false;
        });
    }
}
