package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoint;
import org.treerename.endtoend.Console.Ended;

/**
 * Tests snapshots of the control index and of a tree. The tests restore the index and the tree together, as the runbook
 * requires.
 */
final class RestoreIT {

    private static final String LEASE = "--lease=2s";
    private static final String CONTROL = "tree-rename-control";

    private static Elasticsearch elasticsearch;
    private static Log topics;

    @BeforeAll
    static void start() {
        elasticsearch = SecondElasticsearch.withoutControlIndex();
        elasticsearch.put("/_snapshot/backup", "{\"type\":\"fs\",\"settings\":{\"location\":\"restore\"}}");
        topics = Log.open();
    }

    /** Deletes the control index before each test, because one test leaves a parked rename. */
    @BeforeEach
    void deleteControlIndex() {
        SecondElasticsearch.withoutControlIndex();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    private static Services worker(Group group) {
        return Services.start(elasticsearch, "worker", Program.WORKER, 1, options(group));
    }

    private static Services frozenWorker(Group group, CrashPoint point) {
        List<String> options = new ArrayList<>(options(group));
        options.add("--freeze-at=" + point);
        return Services.start(elasticsearch, "worker", Program.INSTRUMENTED_WORKER, 1, options);
    }

    private static List<String> options(Group group) {
        return List.of(LEASE, group.option(), "--page-size=100");
    }

    private static Services janitor() {
        return Services.start(
                elasticsearch, "janitor", Program.JANITOR, 1, List.of(LEASE, "--sweep-every=1s", "--parked-every=1s"));
    }

    private static Ended admin(String command, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(command, "--elasticsearch-url=" + elasticsearch.url()));
        words.addAll(Arrays.asList(more));
        return Console.run(Console.RENAME_ADMIN, words);
    }

    private static RecordMetadata send(ObjectNode request) {
        return topics.send(0, null, request.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String status(ObjectNode request) {
        return topics.outcome(Requests.id(request)).path("status").asText();
    }

    private static void snapshot(String name, Tree tree) {
        JsonNode made = elasticsearch.put(
                "/_snapshot/backup/" + name + "?wait_for_completion=true",
                "{\"indices\":\"%s,%s\",\"include_global_state\":false}".formatted(CONTROL, tree.name()));
        assertThat(made.at("/snapshot/state").asText()).isEqualTo("SUCCESS");
    }

    private static void restore(String name) {
        JsonNode restored = elasticsearch.post(
                "/_snapshot/backup/" + name + "/_restore?wait_for_completion=true", "{\"include_global_state\":false}");
        assertThat(restored.at("/snapshot/shards/failed").asInt(-1)).isZero();
    }

    private static void awaitNoLeak() {
        Awaitility.await("an audit without a leak")
                .atMost(Log.PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(admin("audit")).isEqualTo(new Ended(0, "no leak\n")));
    }

    @Test
    void after_the_restore_of_a_snapshot_that_was_taken_in_a_pause_later_requests_are_applied_again()
            throws IOException {
        Tree tree = Tree.createIn(elasticsearch)
                .directories("/a", "/c")
                .files("/a/1", "/c/1")
                .index();
        ObjectNode before = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode after = Requests.rename(tree.name(), "/b", "/d");
        SortedMap<String, String> saved;
        RecordMetadata later;
        try (Services worker = worker(Group.atTheEndOfTheLog());
                Services janitor = janitor()) {
            send(before);
            assertThat(status(before)).isEqualTo("completed");
            assertThat(admin("pause", "--wait").code()).isZero();
            snapshot("quiet", tree);
            saved = tree.paths();
            assertThat(admin("unpause").code()).isZero();
            later = send(after);
            assertThat(status(after)).isEqualTo("completed");
        }
        elasticsearch.send("DELETE", "/" + CONTROL + "," + tree.name(), "");
        restore("quiet");
        assertThat(tree.paths()).isEqualTo(saved);

        try (Services worker = worker(Group.rewoundTo(List.of(later)));
                Services janitor = janitor()) {
            assertThat(worker.get("/health/ready").body()).contains("pause");
            assertThat(admin("unpause").code()).isZero();
            topics.outcomeText(Requests.id(after), 2);
            send(before);
            String again = topics.outcomeText(Requests.id(before), 2);

            assertThat(again).isEqualTo(topics.outcomeText(Requests.id(before), 1));
            assertThat(tree.paths().values()).containsExactlyInAnyOrder("/d", "/d/1", "/c", "/c/1");
            awaitNoLeak();
        }
    }

    @Test
    void a_rename_that_moves_during_the_snapshot_completes_in_a_reopened_index_and_is_parked_in_a_recreated_one()
            throws IOException {
        Tree tree = Tree.createIn(elasticsearch).directories("/a");
        for (int i = 0; i < 300; i++) {
            tree.files("/a/" + i);
        }
        tree.index();
        ObjectNode moving = Requests.rename(tree.name(), "/a", "/b");
        try (Services worker = frozenWorker(Group.atTheEndOfTheLog(), CrashPoint.BETWEEN_PAGES)) {
            send(moving);
            Awaitility.await("a page has moved")
                    .atMost(Log.PATIENCE)
                    .until(() -> tree.paths().containsValue("/b"));
            snapshot("moving", tree);
            worker.processes().getFirst().kill();
        }
        elasticsearch.post("/" + CONTROL + "/_close", "");
        elasticsearch.post("/" + tree.name() + "/_close", "");
        restore("moving");
        try (Services janitor = janitor()) {
            assertThat(status(moving)).isEqualTo("completed");
            assertThat(tree.paths().values()).allMatch(path -> path.startsWith("/b"));
            awaitNoLeak();
        }

        elasticsearch.send("DELETE", "/" + CONTROL + "," + tree.name(), "");
        restore("moving");
        try (Services janitor = janitor()) {
            Awaitility.await("the rename is parked")
                    .atMost(Log.PATIENCE)
                    .until(() -> elasticsearch
                            .entry(Requests.id(moving))
                            .orElseThrow()
                            .path("state")
                            .asText()
                            .equals("parked"));
            assertThat(tree.paths().values()).contains("/b").anyMatch(path -> path.startsWith("/a/"));
        }
    }
}
