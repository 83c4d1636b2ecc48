package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;
import org.treerename.wire.Topics;

/**
 * Elasticsearch, Kafka, or the room on a disk is gone for a while under load: nothing is lost, and all goes on by itself.
 * {@code -Doutage.seconds} says for how long, {@code -Drenames} under how many.
 */
final class OutagesIT {

    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("outage.seconds", 15));
    private static final int DIRECTORIES = 8;
    private static final int FILES = 30;

    @TempDir
    private static Path folder;

    private static ElasticsearchServer elasticsearchServer;
    private static KafkaServer kafka;
    private static Elasticsearch elasticsearch;
    private static Log log;

    private final List<ObjectNode> requests = new ArrayList<>();
    private Tree tree;

    @SuppressWarnings("NullAway.Init")
    private Services workers;

    private Judge judge;

    @BeforeAll
    static void startServers() {
        elasticsearchServer = ElasticsearchServer.start(
                ElasticsearchSettings.in(folder.resolve("elasticsearch")).withHeap("512m"));
        kafka = KafkaServer.start(KafkaSettings.in(folder.resolve("kafka")).withHeap("384m"));
        elasticsearch = Elasticsearch.at(elasticsearchServer.url());
        Tree.createIn(elasticsearch);
        log = Log.at(kafka.bootstrapServers());
    }

    @AfterAll
    static void stopServers() {
        log.close();
        kafka.kill();
        elasticsearchServer.kill();
    }

    @BeforeEach
    void start() {
        tree = Tree.createIn(elasticsearch);
        for (int d = 0; d < DIRECTORIES; d++) {
            tree.directories("/d" + d);
            for (int f = 0; f < FILES; f++) {
                tree.files("/d" + d + "/file-" + f);
            }
        }
        tree.index();
        judge = Judge.of(elasticsearch, kafka.bootstrapServers(), tree);
    }

    private void startWorkers(int count, String... more) {
        workers = start("worker", "org.treerename.worker.Main", count, more);
    }

    /** Each worker has partitions, and none has come or gone for a while. */
    private void awaitShared() {
        AtomicLong last = new AtomicLong();
        Awaitility.await("the partitions' sharing")
                .atMost(Log.PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .until(() -> {
                    long now = joined();
                    return last.getAndSet(now) == now && told("RequestLoop: took over [rename") >= 3;
                });
    }

    private static Services start(String service, String mainClass, int count, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--kafka-bootstrap-servers=" + kafka.bootstrapServers());
        options.add("--lease=20s");
        return Services.start(elasticsearch, service, mainClass, count, options);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private void sendLoad() {
        for (int f = 0; f < FILES; f++) {
            for (int d = 0; d < DIRECTORIES; d++) {
                ObjectNode request = Requests.rename(tree.name(), "/d" + d + "/file-" + f, "/d" + d + "/renamed-" + f);
                requests.add(request);
                log.send(d, request.toString());
            }
        }
    }

    private static void letPass(Duration length) {
        Awaitility.await("the outage")
                .pollDelay(length)
                .atMost(length.plus(Log.PATIENCE))
                .until(() -> true);
    }

    /** By all workers. */
    private List<String> told() {
        List<String> told = new ArrayList<>();
        for (Path file : workers.logs()) {
            try {
                told.addAll(Files.readAllLines(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        told.removeIf(line -> line.contains(" DEBUG "));
        return told;
    }

    private long told(String words) {
        return told().stream().filter(line -> line.contains(words)).count();
    }

    /** Times that partitions came or went. */
    private long joined() {
        return told("RequestLoop: took over [rename") + told("RequestLoop: lost") + told("RequestLoop: gave up");
    }

    /** The very processes that were started. */
    private static void assertAllAlive(Services services) {
        assertThat(services.processes()).allMatch(ChildProcess::isAlive);
        assertThat(services.ids())
                .hasSameSizeAs(services.processes())
                .allSatisfy(id ->
                        assertThat(Services.state(elasticsearch, id)).as(id).isEqualTo("live"));
    }

    /** The same process, in its group all the time, and the tree as it should be. */
    private void assertAllCompleted() {
        List<JsonNode> outcomes =
                requests.stream().map(r -> log.outcome(Requests.id(r))).toList();
        assertThat(outcomes)
                .allMatch(o -> o.path("status").asText().equals("completed"))
                .allMatch(o -> workers.ids().contains(o.path("process_id").asText()));
        assertAllAlive(workers);
        assertThat(joined()).as("times that it joined or left").isEqualTo(1);
        judge.assertGood(0);
    }

    /** With three workers and a janitor, all of which stay what they are. */
    @Test
    void elasticsearchAndThenKafkaIsGoneUnderLoad() {
        Load.fill(tree);
        judge = Judge.of(elasticsearch, kafka.bootstrapServers(), tree);
        startWorkers(3);
        awaitShared();
        try (Services janitor = start("janitor", "org.treerename.janitor.Main", 1)) {
            Load load = Load.begin(tree, kafka.bootstrapServers());

            load.awaitEnded(0.25);
            long joined = joined();
            elasticsearchServer.kill();
            letPass(OUTAGE);
            elasticsearchServer.restart();
            load.awaitEnded(0.5);
            assertThat(joined()).as("times that workers joined or left").isEqualTo(joined);
            assertThat(told("Elasticsearch is gone")).isEqualTo(3);
            assertThat(told("Elasticsearch answers again")).isEqualTo(3);
            assertThat(told().stream().filter(line -> line.contains(" WARN ")).count())
                    .as("warnings of three workers, of an outage of %s", OUTAGE)
                    .isLessThan(3 * 200);

            kafka.kill();
            letPass(OUTAGE);
            kafka.restart();
            load.awaitAll();

            assertAllAlive(workers);
            assertAllAlive(janitor);
            judge.assertGood(0);
        }
    }

    /** What is done and cannot be told waits in the journal. */
    @Test
    void outcomesWaitForKafka() {
        startWorkers(1);
        sendLoad();
        log.outcome(Requests.id(requests.getFirst()));

        kafka.kill();
        Awaitility.await("what is done waits for Kafka")
                .atMost(Log.PATIENCE)
                .until(() -> elasticsearch.control("rename").stream()
                        .anyMatch(entry -> entry.path("state").asText().equals("done")));
        awaitReady(503, "kafka");
        assertThat(workers.get("/health/live").statusCode()).isEqualTo(200);
        kafka.restart();

        awaitReady(200, "up");
        assertAllCompleted();
    }

    private void awaitReady(int status, String words) {
        Awaitility.await("ready " + status)
                .atMost(Log.PATIENCE)
                .until(
                        () -> workers.get("/health/ready"),
                        answer -> answer.statusCode() == status && answer.body().contains(words));
    }

    @Test
    void noWorkerAndNoJanitorBeginsOnATopicWhoseTimeStampsAreItsProducers() throws Exception {
        startWorkers(1);
        alterTimeStamps("CreateTime");
        try {
            awaitReady(503, "message.timestamp.type=CreateTime");
            for (String main : List.of("org.treerename.worker.Main", "org.treerename.janitor.Main")) {
                assertThat(Services.refused(
                                elasticsearch, main, "--kafka-bootstrap-servers=" + kafka.bootstrapServers()))
                        .contains(
                                "the topic rename.requests has message.timestamp.type=CreateTime, expected LogAppendTime");
            }
        } finally {
            alterTimeStamps("LogAppendTime");
        }
        awaitReady(200, "up");
    }

    private static void alterTimeStamps(String type) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.REQUESTS);
        AlterConfigOp set = new AlterConfigOp(
                new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, type), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
        }
    }

    @Test
    void anIndexWithoutRoomOnItsDiskIsToldAndWaitedForInTheMiddleOfAMove() {
        startWorkers(1, "--page-size=5", "--documents-per-second=5");
        ObjectNode request = Requests.rename(tree.name(), "/d0", "/moved");
        requests.add(request);
        String block = "/" + tree.name() + "/_settings";
        log.send(0, request.toString());
        Awaitility.await("the middle of the move")
                .pollInterval(Duration.ofMillis(20))
                .atMost(Log.PATIENCE)
                .until(() -> elasticsearch
                        .entry(Requests.id(request))
                        .filter(entry -> entry.path("moved").asLong() > 0)
                        .isPresent());

        elasticsearch.put(block, "{\"index.blocks.read_only_allow_delete\": true}");
        Awaitility.await("the block is told with its index")
                .atMost(Log.PATIENCE)
                .until(() -> told().stream()
                        .anyMatch(line -> line.contains("index [" + tree.name() + "] blocked by")
                                && line.contains("read-only-allow-delete")));
        letPass(Duration.ofSeconds(3));
        JsonNode entry = elasticsearch.entry(Requests.id(request)).orElseThrow();
        assertThat(entry.path("state").asText()).isEqualTo("moving");
        elasticsearch.put(block, "{\"index.blocks.read_only_allow_delete\": null}");

        assertAllCompleted();
        assertThat(log.outcome(Requests.id(request)).path("reason").isNull()).isTrue();
        assertThat(tree.paths().values())
                .filteredOn(path -> path.startsWith("/moved"))
                .hasSize(FILES + 1);
        assertThat(told("blocked by")).as("times it is told").isBetween(1L, 8L);
    }
}
