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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.KafkaServer;
import org.treerename.wire.Topics;

/**
 * Elasticsearch, Kafka, or the room on a disk is gone for a while: nothing is lost, and all processes continue by themselves.
 * The outage of Elasticsearch and then Kafka under load belongs to {@code -Pfull}, because the load and the restarts take
 * minutes; {@code -Doutage.seconds} says for how long, {@code -Drenames} under how many. By default {@link SingleNodeCrashIT}
 * kills Elasticsearch in the middle of a move.
 */
final class OutagesIT {

    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("outage.seconds", 15));
    private static final int FILES = 30;

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
        kafka = KillableServers.kafka();
        elasticsearch = Elasticsearch.at(KillableServers.elasticsearch().url());
        log = Log.at(kafka.bootstrapServers());
    }

    @AfterAll
    static void closeLog() {
        log.close();
    }

    @BeforeEach
    void start() {
        tree = Tree.createIn(elasticsearch).directories("/source");
        for (int f = 0; f < FILES; f++) {
            tree.files("/source/file-" + f);
        }
        tree.index();
        judge = Judge.of(elasticsearch, kafka.bootstrapServers(), tree);
    }

    private void startWorkers(int count, String... more) {
        Group group = Group.atTheEndOfTheLog(kafka.bootstrapServers());
        List<String> options = new ArrayList<>(List.of(more));
        options.add(group.option());
        workers = start("worker", "org.treerename.worker.Main", count, options);
        group.awaitShared(count);
    }

    private static Services start(String service, String mainClass, int count, List<String> more) {
        List<String> options = new ArrayList<>(more);
        options.add("--kafka-bootstrap-servers=" + kafka.bootstrapServers());
        options.add("--lease=20s");
        return Services.start(elasticsearch, service, mainClass, count, options);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private ObjectNode sendRename() {
        ObjectNode request = Requests.rename(tree.name(), "/source", "/destination");
        requests.add(request);
        log.send(0, request.toString());
        return request;
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

    /** With three workers and a janitor, all of which stay live under their first process ids. */
    @Tag("full")
    @Test
    void elasticsearch_and_then_kafka_is_gone_under_load() {
        Load.fill(tree);
        judge = Judge.of(elasticsearch, kafka.bootstrapServers(), tree);
        startWorkers(3);
        try (Services janitor = start("janitor", "org.treerename.janitor.Main", 1, List.of())) {
            Load load = Load.begin(tree, kafka.bootstrapServers());

            load.awaitEnded(0.25);
            long joined = joined();
            KillableServers.elasticsearch().kill();
            letPass(OUTAGE);
            KillableServers.elasticsearch().restart();
            load.awaitEnded(0.5);
            assertThat(joined()).as("times that workers joined or left").isEqualTo(joined);
            // a worker without a request under way does not notice
            long noticed = told("Elasticsearch is gone");
            assertThat(noticed).isBetween(1L, 3L);
            assertThat(told("Elasticsearch answers again")).isEqualTo(noticed);
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

    /** Kafka is gone from the moment before the outcome is published. */
    @Test
    void an_outcome_waits_for_kafka() {
        Gate gate = Gate.at(CrashPoint.BEFORE_OUTCOME, 1);
        startWorkers(1, gate.option());
        ObjectNode request = sendRename();
        gate.awaitReached();

        kafka.kill();
        gate.open();
        awaitReady(503, "kafka");
        assertThat(workers.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(entry(request).path("state").asText()).isEqualTo("done");
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
    void no_worker_and_no_janitor_begins_on_a_topic_with_time_stamps_of_its_producers() throws Exception {
        startWorkers(1);
        alterTimeStamps("CreateTime");
        try {
            awaitReady(503, "message.timestamp.type=CreateTime");
            for (String main : List.of("org.treerename.worker.Main", "org.treerename.janitor.Main")) {
                assertThat(Services.refused(
                                elasticsearch, main, "--kafka-bootstrap-servers=" + kafka.bootstrapServers()))
                        .contains("the topic rename.requests has message.timestamp.type=CreateTime, expected"
                                + " LogAppendTime");
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
    void an_index_without_room_on_its_disk_is_logged_and_waited_for_in_the_middle_of_a_move() {
        Gate gate = Gate.at(CrashPoint.WITHIN_MOVE, 2);
        startWorkers(1, "--page-size=5", gate.option());
        ObjectNode request = sendRename();
        String block = "/" + tree.name() + "/_settings";
        gate.awaitReached();

        elasticsearch.put(block, "{\"index.blocks.read_only_allow_delete\": true}");
        gate.open();
        Awaitility.await("the block is logged with its index, and tried again")
                .atMost(Log.PATIENCE)
                .until(() -> told().stream()
                                .filter(line -> line.contains("index [" + tree.name() + "] blocked by")
                                        && line.contains("read-only-allow-delete"))
                                .count()
                        > 1);
        assertThat(entry(request).path("state").asText()).isEqualTo("moving");
        elasticsearch.put(block, "{\"index.blocks.read_only_allow_delete\": null}");

        assertAllCompleted();
        assertThat(log.outcome(Requests.id(request)).path("reason").isNull()).isTrue();
        assertThat(tree.paths().values())
                .filteredOn(path -> path.startsWith("/destination"))
                .hasSize(FILES + 1);
    }

    private static JsonNode entry(ObjectNode request) {
        return elasticsearch.entry(Requests.id(request)).orElseThrow();
    }
}
