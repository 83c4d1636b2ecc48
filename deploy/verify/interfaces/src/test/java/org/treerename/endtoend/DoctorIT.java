package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.elastic.Elastic;
import org.treerename.installation.Installation;
import org.treerename.instrumented.WrongWallClock;
import org.treerename.janitor.admin.TopicCreation;
import org.treerename.janitor.doctor.Doctor;
import org.treerename.runtime.SystemTime;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;
import org.treerename.testservers.TestServers;

/** Tests {@code rename-admin doctor} on real servers. Each test causes some findings. */
final class DoctorIT {

    @TempDir
    private static Path folder;

    /** A Kafka whose topics and settings the tests change. */
    private static KafkaServer kafka;

    @BeforeAll
    static void start() throws ExecutionException, InterruptedException {
        kafka = KafkaServer.start(KafkaSettings.in(folder.resolve("kafka"))
                .withHeap("384m")
                .shortLived()
                .withSettings(Map.of("group.coordinator.rebalance.protocols", "classic")));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private record Result(int code, String out, List<JsonNode> findings) {

        /** Returns the level and the text of each finding with this subject. */
        List<String> about(String subject) {
            return findings.stream()
                    .filter(finding -> finding.path("subject").asText().equals(subject))
                    .map(finding -> finding.path("level").asText() + ": "
                            + finding.path("what").asText())
                    .toList();
        }

        String mend(String subject, String what) {
            Optional<String> mend = findings.stream()
                    .filter(finding -> finding.path("subject").asText().equals(subject)
                            && finding.path("what").asText().contains(what))
                    .map(finding -> finding.path("mend").asText())
                    .findFirst();
            return mend.orElseThrow(() -> new AssertionError("there is no finding " + what + " in " + findings));
        }
    }

    private static Result doctor(String elasticsearch, String servers, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "doctor",
                "--output=json",
                "--elasticsearch-url=" + elasticsearch,
                "--kafka-bootstrap-servers=" + servers));
        words.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = org.treerename.janitor.admin.Main.run(
                Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        return new Result(code, out.toString(), parsed(out.toString()));
    }

    private static List<JsonNode> parsed(String array) {
        try {
            List<JsonNode> findings = new ArrayList<>();
            Es.JSON.readTree(array).forEach(findings::add);
            return findings;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(array, e);
        }
    }

    private static Result ofShared(String... options) {
        return doctor(TestServers.elasticsearchUrl(), TestServers.kafkaBootstrapServers(), options);
    }

    private static Path namespaces(String index, String more) throws IOException {
        return Files.writeString(
                Files.createTempFile(folder, "namespaces", ".yaml"),
                "namespaces:\n  - { name: " + index + ", index: " + index + ", path_field: path" + more + " }\n");
    }

    @Test
    void good_servers_have_no_error() throws IOException {
        Log.open().close();
        Es.send("DELETE", "/tree-rename-control", "");
        String index = "doctor-" + UUID.randomUUID();
        Es.put("/" + index, "{\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        Es.put("/" + index + "/_doc/1?refresh=true", "{\"path\":\"/a\"}");
        String file = "--namespaces=" + namespaces(index, "");

        Result result = ofShared(file);

        assertThat(result.code()).as(result.out()).isZero();
        assertThat(result.about("java")).singleElement().asString().startsWith("ok: Java ");
        assertThat(result.about("elasticsearch version")).containsExactly("ok: Elasticsearch 9.4.3 is supported");
        assertThat(result.about("elasticsearch address"))
                .singleElement()
                .asString()
                .startsWith("ok: " + TestServers.elasticsearchUrl() + " is the node ");
        assertThat(result.about("clock"))
                .singleElement()
                .asString()
                .startsWith("ok: the clocks of Elasticsearch differ");
        assertThat(result.about("elasticsearch privileges"))
                .singleElement()
                .asString()
                .startsWith("warning: the security of Elasticsearch is off");
        assertThat(result.about("control index")).singleElement().asString().contains("does not exist yet");
        assertThat(result.about("namespace " + index))
                .satisfiesExactly(
                        suitable -> assertThat(suitable)
                                .isEqualTo("ok: the index " + index + " is suitable; searches find all its documents"),
                        copies -> assertThat(copies).startsWith("warning: ").contains("has only one copy"));
        assertThat(result.about("kafka version"))
                .singleElement()
                .asString()
                .startsWith("ok: Kafka 4.3 is supported (feature metadata.version ");
        assertThat(result.about("kafka group protocol"))
                .containsExactly("ok: the brokers support the group protocol consumer");
        assertThat(result.about("topic rename.requests"))
                .containsExactly("warning: a partition has only one replica. If the disk of its broker fails, the"
                        + " records of the partition are lost");
        assertThat(result.about("topic rename.progress"))
                .containsExactly("ok: 8 partitions, 1 replicas, settings as expected");
        Console.Ended text = Console.run(
                Console.RENAME_ADMIN,
                List.of(
                        "doctor",
                        file,
                        "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                        "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers()));
        assertThat(text.code()).isZero();
        assertThat(text.out())
                .contains("ok: elasticsearch version: Elasticsearch 9.4.3 is supported\n")
                .contains("\n    to do: set xpack.security.enabled to true")
                .containsPattern("\n0 errors, \\d+ warnings\n$");
    }

    @Test
    void finds_topics_and_settings_that_prevent_renames() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Result empty = doctor(TestServers.elasticsearchUrl(), kafka.bootstrapServers());

            assertThat(empty.code()).isEqualTo(1);
            assertThat(empty.about("kafka group protocol"))
                    .singleElement()
                    .asString()
                    .startsWith("error: the brokers do not support the group protocol consumer"
                            + " (group.coordinator.rebalance.protocols is classic)");
            assertThat(empty.about("topic rename.outcomes"))
                    .containsExactly("error: the topic does not exist, so no request can end");
            assertThat(empty.mend("topic rename.outcomes", "does not exist"))
                    .isEqualTo("create it: rename-admin topics --partitions=8 --replicas=1");
            assertThat(empty.about("topic rename.progress"))
                    .containsExactly("warning: the topic does not exist, so no progress is reported");
            assertThat(doctor(TestServers.elasticsearchUrl(), kafka.bootstrapServers(), "--group-protocol=classic")
                            .about("kafka group protocol"))
                    .containsExactly("ok: workers with --group-protocol classic can use these brokers");

            admin.createTopics(List.of(
                            new NewTopic(Installation.DEFAULT.requests(), 1, (short) 1)
                                    .configs(Map.of(
                                            "cleanup.policy", "delete",
                                            "message.timestamp.type", "CreateTime",
                                            "retention.ms", "3600000",
                                            "retention.bytes", "1000000",
                                            "min.insync.replicas", "2")),
                            new NewTopic(Installation.DEFAULT.outcomes(), 8, (short) 1)
                                    .configs(Map.of("cleanup.policy", "delete"))))
                    .all()
                    .get();
            TopicCreation.create(admin, Installation.DEFAULT, 8, (short) 1);
            sendFromTheFuture();
            Result wrong = doctor(TestServers.elasticsearchUrl(), kafka.bootstrapServers());

            assertThat(wrong.about("topic rename.requests"))
                    .anyMatch(finding -> finding.startsWith("error: the topic rename.requests has"
                            + " message.timestamp.type=CreateTime, expected LogAppendTime"))
                    .anyMatch(finding -> finding.startsWith(
                            "warning: the topic rename.requests has" + " retention.bytes=1000000, expected -1"))
                    .contains(
                            "error: a partition needs 2 replicas in sync (min.insync.replicas) and has 1, so Kafka"
                                    + " refuses records",
                            "warning: Kafka deletes requests after 60 min (retention.ms), even if no worker has"
                                    + " read them",
                            "warning: the topic has one partition, so only one worker receives requests");
            assertThat(wrong.about("topic rename.outcomes"))
                    .contains("warning: cleanup.policy is delete, so Kafka keeps every repetition of an outcome");
            assertThat(wrong.about("clock"))
                    .anyMatch(
                            finding -> finding.contains("the clock of a broker is ahead of the clock of this machine"));
        }
    }

    /** Sends a record whose time stamp is one minute in the future, as a broker with a wrong clock assigns it. */
    private static void sendFromTheFuture() throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "acks", "1");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            long millis = Instant.now().plus(Duration.ofMinutes(1)).toEpochMilli();
            var unused = producer.send(new ProducerRecord<>(Installation.DEFAULT.requests(), 0, millis, "k", "v"))
                    .get();
        }
    }

    @Test
    void finds_a_load_balancer_and_a_proxy() {
        String first = TestServers.elasticsearchUrl();
        String second = TestServers.secondElasticsearchUrl();
        try (HttpProxy balancer = HttpProxy.to(Map.of(), first, second);
                HttpProxy cloud = HttpProxy.to(Map.of("X-Found-Handling-Cluster", "abc"), first);
                HttpProxy proxy = HttpProxy.to(Map.of("Via", "1.1 proxy"), first);
                Forwarder forwarder = Forwarder.to(first)) {
            Result balanced = doctor(balancer.url(), TestServers.kafkaBootstrapServers());
            // the servers have different control indices; if a later request gets no answer, the exit code is 3
            assertThat(balanced.code()).isIn(1, 3);
            assertThat(balanced.about("elasticsearch address"))
                    .singleElement()
                    .asString()
                    .startsWith("error: " + balancer.url() + " answers as 2 different nodes");
            assertThat(balanced.mend("elasticsearch address", "different nodes"))
                    .contains(first.substring("http://".length()), second.substring("http://".length()));

            assertThat(doctor(cloud.url(), TestServers.kafkaBootstrapServers()).about("elasticsearch address"))
                    .singleElement()
                    .asString()
                    .startsWith("error: " + cloud.url() + " is a proxy of Elastic Cloud");
            assertThat(doctor(proxy.url(), TestServers.kafkaBootstrapServers()).about("elasticsearch address"))
                    .singleElement()
                    .asString()
                    .startsWith("warning: " + proxy.url() + " is probably a proxy (header via)");
            assertThat(doctor(forwarder.url() + "," + first, TestServers.kafkaBootstrapServers())
                            .about("elasticsearch address"))
                    .satisfiesExactly(
                            forwarded -> assertThat(forwarded)
                                    .startsWith("warning: " + forwarder.url() + " leads to the node ")
                                    .contains("which publishes the address " + first.substring("http://".length())),
                            direct -> assertThat(direct).startsWith("ok: "));
        }
    }

    private static List<String> clocks(Duration ahead) {
        Doctor doctor = new Doctor(Installation.DEFAULT, new WrongWallClock(new SystemTime(), ahead));
        doctor.examineElasticsearch(
                Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)), List.of());
        return doctor.examination().findings().stream()
                .filter(finding -> finding.subject().equals("clock"))
                .map(finding -> finding.level().inWords() + ": " + finding.what())
                .toList();
    }

    @Test
    void finds_a_difference_of_the_clocks() {
        assertThat(clocks(Duration.ofMinutes(1)))
                .singleElement()
                .asString()
                .matches("warning: the clock of the node .* is (5[0-9]|60|61) s behind the clock of this machine.*");
        assertThat(clocks(Duration.ofMinutes(-1))).first().asString().contains(" s ahead of the clock of this machine");
    }

    @Test
    void finds_a_control_index_that_another_program_created() {
        Elasticsearch second = SecondElasticsearch.withoutControlIndex();
        second.put("/tree-rename-control/_doc/1", "{\"kind\":\"lock\"}");
        try {
            Result result = doctor(second.url(), TestServers.kafkaBootstrapServers());

            assertThat(result.code()).isEqualTo(1);
            assertThat(result.about("control index"))
                    .satisfiesExactly(
                            mapping -> assertThat(mapping)
                                    .startsWith("error: the control index tree-rename-control does not have the"
                                            + " settings and the mapping of tree rename"),
                            copies -> assertThat(copies).startsWith("warning: ").contains("has only one copy"));
            assertThat(result.about("namespaces")).singleElement().asString().contains("no namespace is defined");
        } finally {
            second.send("DELETE", "/tree-rename-control", "");
        }
    }

    @Test
    void finds_documents_that_searches_do_not_find_and_a_definition_that_differs() throws IOException {
        String index = "doctor-" + UUID.randomUUID();
        Es.put("/" + index, "{\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\",\"ignore_above\":256}}}}");
        Es.put("/" + index + "/_doc/1?refresh=true", "{\"path\":\"/a/" + "x".repeat(300) + "\"}");
        Es.put("/" + index + "/_doc/2?refresh=true", "{\"other\":1}");
        Path file = namespaces(index, "");
        assertThat(ofShared("--namespaces=" + file).about("namespace " + index))
                .singleElement()
                .asString()
                .startsWith("error: ignore_above of the field path is 256")
                .endsWith(", so processes do not start");

        Es.put("/" + index + "/_mapping", "{\"properties\":{\"path\":{\"type\":\"keyword\",\"ignore_above\":8192}}}");
        assertThat(Console.run(
                                Console.RENAME_ADMIN,
                                List.of(
                                        "namespaces",
                                        "define",
                                        file.toString(),
                                        "--elasticsearch-url=" + TestServers.elasticsearchUrl()))
                        .code())
                .isZero();
        Result result = ofShared("--namespaces=" + namespaces(index, ", ordering_depth: 2"));

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.about("namespace " + index))
                .contains(
                        "error: the definition in the file differs from the stored definition, so a process with this"
                                + " file does not start",
                        "error: 1 document of " + index
                                + " has a text in the field path that searches do not find. Renames move only documents"
                                + " that searches find",
                        "warning: 1 document of " + index
                                + " has no value in the field path. No rename moves a document without this field");
        assertThat(ofShared().about("namespace " + index))
                .as("the findings about the stored definition")
                .hasSize(3);

        Es.put("/" + index + "/_settings", "{\"index.blocks.write\":true}");
        assertThat(ofShared().about("namespace " + index))
                .containsExactly("warning: the index " + index + " has the block write, so processes wait");
        Es.send("DELETE", "/" + index, "");
        assertThat(ofShared().about("namespace " + index))
                .containsExactly("warning: there is no index or alias " + index + ", so processes wait");
        Es.send("DELETE", "/tree-rename-control/_doc/namespace:" + index + "?refresh=true", "");
    }

    @Test
    void reports_whether_a_worker_and_a_janitor_are_live() {
        try (Janitors janitors = Janitors.start(1, "--lease=2s")) {
            assertThat(janitors.ids()).hasSize(1);
            assertThat(ofShared().about("processes"))
                    .containsExactly("warning: no worker is live, so requests wait in Kafka");

            try (Workers workers = Workers.start(1, "--lease=2s")) {
                assertThat(workers.ids()).hasSize(1);
                assertThat(ofShared().about("processes")).containsExactly("ok: live workers: 1, live janitors: 1");
            }
        }
    }

    @Test
    void reports_servers_that_do_not_answer_and_examines_the_others() {
        Result noElasticsearch = doctor("http://127.0.0.1:1", TestServers.kafkaBootstrapServers());
        Instant begin = Instant.now();
        Result noKafka = doctor(TestServers.elasticsearchUrl(), "127.0.0.1:1");
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(25));

        assertThat(noElasticsearch.code()).isEqualTo(3);
        assertThat(noElasticsearch.about("elasticsearch address"))
                .singleElement()
                .asString()
                .startsWith("error: ");
        assertThat(noElasticsearch.about("kafka version"))
                .singleElement()
                .asString()
                .startsWith("ok: ");
        assertThat(noKafka.code()).isEqualTo(3);
        assertThat(noKafka.about("kafka version"))
                .singleElement()
                .asString()
                .startsWith("error: cannot read the brokers");
        assertThat(noKafka.about("elasticsearch version"))
                .singleElement()
                .asString()
                .startsWith("ok: ");
    }
}
