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
import org.treerename.installation.Installation;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.KafkaServer;
import org.treerename.steps.Step;

/**
 * Tests outages: Elasticsearch or Kafka is unavailable for a while, or a disk is full. No rename is lost, and all
 * processes continue by themselves. Only {@code -Pfull} tests an outage of Elasticsearch, followed by an outage of
 * Kafka, under load, because the load and the restarts take minutes. The system property {@code outage.seconds} sets
 * the length of an outage, and {@code renames} sets the number of renames. By default {@link SingleNodeCrashIT} kills
 * Elasticsearch in the middle of a move.
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

    private ChangeCheck changeCheck;

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
        changeCheck = ChangeCheck.of(elasticsearch, kafka.bootstrapServers(), tree);
    }

    private void startWorkers(int count) {
        startWorkers(Program.WORKER, count, List.of());
    }

    /** Starts a worker that a gate blocks. */
    private void startWorker(Gate gate, String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add(gate.option());
        startWorkers(Program.INSTRUMENTED_WORKER, 1, options);
    }

    private void startWorkers(String mainClass, int count, List<String> more) {
        Group group = Group.atTheEndOfTheLog(kafka.bootstrapServers());
        List<String> options = new ArrayList<>(more);
        options.add(group.option());
        workers = start("worker", mainClass, count, options);
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

    private static void pause(Duration length) {
        Awaitility.await("the outage")
                .pollDelay(length)
                .atMost(length.plus(Log.PATIENCE))
                .until(() -> true);
    }

    /** Returns the log lines of all workers, without the lines that log a step. */
    private List<String> logLines() {
        List<String> logLines = new ArrayList<>();
        for (Path file : workers.logs()) {
            try {
                logLines.addAll(Files.readAllLines(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        logLines.removeIf(line -> Step.in(line).isPresent());
        return logLines;
    }

    private long logLines(String words) {
        return logLines().stream().filter(line -> line.contains(words)).count();
    }

    /** Returns the number of log lines that report assigned, lost or revoked partitions. */
    private long partitionChanges() {
        return logLines("Assignments: assigned partitions [rename")
                + logLines("Assignments: lost partitions")
                + logLines("Assignments: revoked partitions");
    }

    /**
     * Asserts that all processes of the services run, and that each process is still live under its first process id.
     */
    private static void assertAllAlive(Services services) {
        assertThat(services.processes()).allMatch(ChildProcess::isAlive);
        assertThat(services.ids())
                .hasSameSizeAs(services.processes())
                .allSatisfy(id ->
                        assertThat(Services.state(elasticsearch, id)).as(id).isEqualTo("live"));
    }

    /**
     * Asserts that all requests completed and that the tree is correct. Asserts that no worker was restarted, and that
     * no worker left its group.
     */
    private void assertAllCompleted() {
        List<JsonNode> outcomes =
                requests.stream().map(r -> log.outcome(Requests.id(r))).toList();
        assertThat(outcomes)
                .allMatch(o -> o.path("status").asText().equals("completed"))
                .allMatch(o -> workers.ids().contains(o.path("process_id").asText()));
        assertAllAlive(workers);
        assertThat(partitionChanges())
                .as("number of log lines about assigned and revoked partitions")
                .isEqualTo(1);
        changeCheck.assertGood(0);
    }

    /** Three workers and a janitor run. All four processes stay live under their first process ids. */
    @Tag("full")
    @Test
    void elasticsearch_and_then_kafka_are_unavailable_under_load() {
        Load.fill(tree);
        changeCheck = ChangeCheck.of(elasticsearch, kafka.bootstrapServers(), tree);
        startWorkers(3);
        try (Services janitor = start("janitor", Program.JANITOR, 1, List.of())) {
            Load load = Load.begin(tree, kafka.bootstrapServers());

            load.awaitEnded(0.25);
            long partitionChanges = partitionChanges();
            KillableServers.elasticsearch().kill();
            pause(OUTAGE);
            KillableServers.elasticsearch().restart();
            load.awaitEnded(0.5);
            assertThat(partitionChanges())
                    .as("number of log lines about assigned and revoked partitions")
                    .isEqualTo(partitionChanges);
            // a worker detects the outage only if it waits for an answer
            long noticed = logLines("Circuit: Elasticsearch is unavailable: ");
            assertThat(noticed).isBetween(1L, 3L);
            assertThat(logLines("Circuit: Elasticsearch answers again")).isEqualTo(noticed);
            assertThat(logLines().stream()
                            .filter(line -> line.contains(" WARN "))
                            .count())
                    .as("number of warnings of three workers in an outage of %s", OUTAGE)
                    .isLessThan(3 * 200);

            kafka.kill();
            pause(OUTAGE);
            kafka.restart();
            load.awaitAll();

            assertAllAlive(workers);
            assertAllAlive(janitor);
            changeCheck.assertGood(0);
        }
    }

    /** Kafka becomes unavailable immediately before the outcome is published. */
    @Test
    void an_outcome_waits_for_kafka() {
        Gate gate = Gate.at(CrashPoint.BEFORE_OUTCOME, 1);
        startWorker(gate);
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
    void no_worker_and_no_janitor_starts_if_producers_set_the_time_stamps_of_the_topic() throws Exception {
        startWorkers(1);
        alterTimeStamps("CreateTime");
        try {
            awaitReady(503, "message.timestamp.type=CreateTime");
            for (String main : List.of(Program.WORKER, Program.JANITOR)) {
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
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, Installation.DEFAULT.requests());
        AlterConfigOp set = new AlterConfigOp(
                new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, type), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
        }
    }

    @Test
    void a_worker_logs_an_index_on_a_full_disk_and_waits_for_it_in_the_middle_of_a_move() {
        Gate gate = Gate.at(CrashPoint.WITHIN_MOVE, 2);
        startWorker(gate, "--page-size=5");
        ObjectNode request = sendRename();
        String block = "/" + tree.name() + "/_settings";
        gate.awaitReached();

        elasticsearch.put(block, "{\"index.blocks.read_only_allow_delete\": true}");
        gate.open();
        Awaitility.await("the block is logged with its index, and the write is retried")
                .atMost(Log.PATIENCE)
                .until(() -> logLines().stream()
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
