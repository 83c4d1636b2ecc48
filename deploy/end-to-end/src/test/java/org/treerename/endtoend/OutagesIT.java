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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ElasticsearchServer;
import org.treerename.stack.ElasticsearchSettings;
import org.treerename.stack.KafkaServer;
import org.treerename.stack.KafkaSettings;

/**
 * Elasticsearch, Kafka, or the room on a disk is gone for a while under load: nothing is lost, and all goes on by itself.
 * {@code -Doutage.seconds} says for how long.
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

    private void startWorker(String... more) {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--kafka-bootstrap-servers=" + kafka.bootstrapServers());
        options.add("--lease=20s");
        workers = Services.start(elasticsearch, "worker", "org.treerename.worker.Main", 1, options);
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

    private List<String> told() {
        try {
            return Files.readAllLines(workers.logs().getFirst()).stream()
                    .filter(line -> !line.contains(" DEBUG "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long told(String words) {
        return told().stream().filter(line -> line.contains(words)).count();
    }

    /** The same process, in its group all the time, and the tree as it should be. */
    private void assertAllCompleted() {
        List<JsonNode> outcomes =
                requests.stream().map(r -> log.outcome(Requests.id(r))).toList();
        assertThat(outcomes)
                .allMatch(o -> o.path("status").asText().equals("completed"))
                .allMatch(o -> workers.ids().contains(o.path("process_id").asText()));
        assertThat(workers.processes().getFirst().isAlive()).isTrue();
        assertThat(workers.ids())
                .allSatisfy(id ->
                        assertThat(Services.state(elasticsearch, id)).as(id).isEqualTo("live"));
        assertThat(told("RequestLoop: took over [rename")).as("times it joined").isEqualTo(1);
        assertThat(told("RequestLoop: lost") + told("RequestLoop: gave up"))
                .as("times it left")
                .isZero();
        judge.assertGood(0);
    }

    @Test
    void elasticsearchIsGoneUnderLoad() {
        startWorker();
        sendLoad();
        log.outcome(Requests.id(requests.getFirst()));

        elasticsearchServer.kill();
        letPass(OUTAGE);
        elasticsearchServer.restart();

        assertAllCompleted();
        assertThat(told("Elasticsearch is gone")).isEqualTo(1);
        assertThat(told("Elasticsearch answers again")).isEqualTo(1);
        assertThat(told().stream().filter(line -> line.contains(" WARN ")).count())
                .as("warnings, of %s requests in %s", requests.size(), OUTAGE)
                .isLessThan(requests.size());
    }

    @Test
    void kafkaIsGoneUnderLoadAndTheOutcomesWaitInTheJournal() {
        startWorker();
        sendLoad();
        log.outcome(Requests.id(requests.getFirst()));

        kafka.kill();
        Awaitility.await("what is done waits for Kafka")
                .atMost(Log.PATIENCE)
                .until(() -> elasticsearch.control("rename").stream()
                        .anyMatch(entry -> entry.path("state").asText().equals("done")));
        letPass(OUTAGE);
        assertThat(workers.processes().getFirst().isAlive()).isTrue();
        kafka.restart();

        assertAllCompleted();
    }

    @Test
    void anIndexWithoutRoomOnItsDiskIsToldAndWaitedForInTheMiddleOfAMove() {
        startWorker("--page-size=5", "--documents-per-second=5");
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
