package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ListAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.observe.Metric;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/** Tests the metrics, the health and the JSON log of real workers and janitors. */
final class SeenFromOutsideIT {

    private static final Pattern SHOWN = Pattern.compile("# TYPE (tree_rename_\\w+) (\\w+)");

    private static final String LEASE = "--lease=10s";
    private static final String TRACE_OF_REQUEST = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final Duration IN_TIME = Duration.ofSeconds(20);
    private static final int SIGTERM = 143;

    private static Forwarder forwarder;
    private static Elasticsearch elasticsearch;
    private static Log topics;

    @BeforeAll
    static void start() {
        forwarder = Forwarder.to(TestServers.elasticsearchUrl());
        elasticsearch = new Elasticsearch(TestServers::elasticsearchUrl, forwarder::url);
        Tree.create();
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
        forwarder.close();
    }

    private static Services worker(String... options) {
        // a worker logs separate lines for a completed rename only at the level DEBUG
        List<String> all = new ArrayList<>(
                List.of(Group.atTheEndOfTheLog().option(), "--log-format=ecs", "-Dtree-rename.renames=DEBUG"));
        all.addAll(List.of(options));
        return Services.start(elasticsearch, "worker", "org.treerename.worker.Main", 1, all);
    }

    private static Services janitor() {
        return Services.start(
                elasticsearch,
                "janitor",
                "org.treerename.janitor.Main",
                1,
                List.of(LEASE, "--parked-every=1s", "--log-format=ecs"));
    }

    @Test
    void metrics_count_a_rename_and_each_line_of_its_log_is_a_json_object_with_its_id() {
        Tree tree = Tree.create().directories("/a").files("/a/1", "/a/2").index();
        ObjectNode good = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode bad = Requests.rename(tree.name(), "/none", "/c");
        try (Services worker = worker(LEASE);
                Services janitor = janitor()) {
            topics.sendIn(TRACE_OF_REQUEST, 0, good.toString());
            topics.sendIn("malformed", 1, bad.toString());
            topics.send(1, "no json");
            assertThat(topics.outcome(Requests.id(good)).path("status").asText())
                    .isEqualTo("completed");
            topics.outcome(Requests.id(bad));
            assertThat(Log.header(topics.published(Requests.id(good)).getFirst(), "traceparent"))
                    .isEqualTo(TRACE_OF_REQUEST);
            assertThat(topics.published(Requests.id(bad)).getFirst().headers().lastHeader("traceparent"))
                    .isNull();
            assertThat(elasticsearch
                            .entry(Requests.id(good))
                            .orElseThrow()
                            .at("/request/traceparent")
                            .asText())
                    .isEqualTo(TRACE_OF_REQUEST);

            awaitShown(
                    worker,
                    "tree_rename_renames_total{reason=\"none\",status=\"completed\"} 1.0",
                    "tree_rename_renames_total{reason=\"source_not_found\",status=\"rejected\"} 1.0",
                    "tree_rename_documents_total{result=\"moved\"} 3.0",
                    "tree_rename_lock_wait_seconds_count 2",
                    "tree_rename_running 0.0",
                    "tree_rename_elasticsearch_gone 0.0",
                    "tree_rename_queue_requests{partition=\"0\"} 0.0",
                    "tree_rename_lag_records{partition=\"0\"} 0.0",
                    "tree_rename_not_begun_records{partition=\"0\"} 0.0",
                    "tree_rename_dead_letters_total{reason=\"not_json\"} 1.0");
            // renames of other test classes change the values of these metrics, so check only their names
            assertThat(shown(janitor).lines().map(line -> line.replaceFirst(" .*", "")))
                    .contains(
                            "tree_rename_open",
                            "tree_rename_parked",
                            "tree_rename_oldest_waiting_seconds",
                            "tree_rename_stalled");
            assertThat(shown(worker).lines())
                    .anyMatch(line -> line.startsWith(
                                    "tree_rename_elasticsearch_requests_seconds_count{api=\"bulk\",control=\"true\"")
                            && line.contains("status=\"200\""));
            assertNoOtherMetricsThanTheDeclared(worker);
            assertNoOtherMetricsThanTheDeclared(janitor);
            lines(worker)
                    .filteredOn(line -> line.toString().contains(Requests.id(good)))
                    // ignore the lines of RequestLoop, each of which summarizes all renames of one second
                    .filteredOn(line -> !line.path("log.logger").asText().endsWith(".RequestLoop"))
                    .isNotEmpty()
                    .allSatisfy(line -> assertNames(line, good, tree, worker.ids()));
        }
    }

    private static void assertNames(JsonNode line, ObjectNode request, Tree tree, Set<String> processIds) {
        assertThat(line.path("@timestamp").asText()).isNotEmpty();
        assertThat(line.path("log.level").asText()).isNotEmpty();
        assertThat(line.path("labels.request_id").asText()).isEqualTo(Requests.id(request));
        assertThat(line.path("labels.namespace").asText()).isEqualTo(tree.name());
        assertThat(processIds).contains(line.path("labels.process_id").asText());
    }

    /** Asserts that {@link Metric} declares each shown metric with its type. */
    private static void assertNoOtherMetricsThanTheDeclared(Services service) {
        Set<String> declared = Arrays.stream(Metric.values())
                .map(metric -> metric.shown() + " " + metric.type())
                .collect(Collectors.toSet());
        assertThat(SHOWN.matcher(shown(service))
                        .results()
                        .map(found -> found.group(1) + " " + found.group(2))
                        .filter(metric -> !metric.endsWith("_seconds_max gauge")))
                .isNotEmpty()
                .isSubsetOf(declared);
    }

    @Test
    void a_process_is_alive_and_not_ready_while_elasticsearch_is_unavailable() {
        try (Services worker = worker(LEASE);
                Services janitor = janitor()) {
            awaitHealth(worker, "ready", 200, "");
            awaitHealth(janitor, "ready", 200, "");

            forwarder.disappear();
            awaitHealth(worker, "ready", 503, "heartbeat");
            awaitHealth(janitor, "ready", 503, "heartbeat");
            assertThat(health(worker, "live").statusCode()).isEqualTo(200);
            assertThat(health(janitor, "live").statusCode()).isEqualTo(200);
            awaitShown(janitor, "tree_rename_elasticsearch_gone 1.0");

            forwarder.open();
            awaitHealth(worker, "ready", 200, "");
            awaitHealth(janitor, "ready", 200, "");
            awaitShown(janitor, "tree_rename_elasticsearch_gone 0.0");
        }
    }

    /** With a lease of 80 s, a heartbeat waits for its answer longer than the grace period of 4 s. */
    @Test
    void a_worker_that_receives_a_stop_signal_while_elasticsearch_hangs_ends_by_itself() {
        try (Services worker = worker("--lease=80s", "--shutdown-grace=4s", "--request-timeout=60s")) {
            Tree tree = Tree.create().directories("/a").files("/a/1").index();
            forwarder.hang();
            try {
                topics.send(0, Requests.rename(tree.name(), "/a", "/b").toString());
                awaitShown(worker, "tree_rename_running 1.0");
                ChildProcess process = worker.processes().getFirst();

                process.stop(IN_TIME);

                assertThat(process.waitFor(IN_TIME))
                        .as("exit code of a process that was stopped and not killed")
                        .isEqualTo(SIGTERM);
            } finally {
                // close the connections, so that the last requests of the worker never reach Elasticsearch
                forwarder.disappear();
                forwarder.open();
            }
            // delete the process document, so that no other test waits for the lease of this process
            worker.ids().forEach(id -> Es.send("DELETE", "/tree-rename-control/_doc/process:" + id, ""));
        }
    }

    private static void awaitHealth(Services service, String which, int status, String failing) {
        Awaitility.await(which + " " + status)
                .atMost(Log.PATIENCE)
                .until(
                        () -> health(service, which),
                        answer -> answer.statusCode() == status && answer.body().contains(failing));
    }

    private static void awaitShown(Services service, String... lines) {
        Awaitility.await("metrics")
                .atMost(Log.PATIENCE)
                .untilAsserted(() -> assertThat(shown(service).lines()).contains(lines));
    }

    private static HttpResponse<String> health(Services service, String which) {
        return service.get("/health/" + which);
    }

    private static String shown(Services service) {
        return service.get("/metrics").body();
    }

    private static ListAssert<JsonNode> lines(Services service) {
        return assertThat(log(service)
                .lines()
                .map(line -> {
                    try {
                        return Es.JSON.readTree(line);
                    } catch (JsonProcessingException e) {
                        throw new IllegalStateException("not a line of JSON: " + line, e);
                    }
                })
                .toList());
    }

    private static String log(Services service) {
        try {
            return Files.readString(service.logs().getFirst());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
