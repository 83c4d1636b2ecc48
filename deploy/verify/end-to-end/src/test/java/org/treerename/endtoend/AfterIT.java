package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.producer.Sent;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.testservers.TestServers;

/** Tests the field {@code after}: requests in different partitions run one after the other. */
final class AfterIT {

    private static final int PARTITIONS = 8;
    private static final int RENAMES = 50;

    /**
     * The number of requests that wait. This number is several times the number that the worker processes at the same
     * time.
     */
    private static final int MANY = 24;

    private static Log log;

    private final Group group = Group.atTheEndOfTheLog();

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
    }

    @AfterAll
    static void stop() {
        log.close();
    }

    /** The expected paths after all earlier renames were applied one after the other. */
    private static final class Paths {
        private final List<String> directories = new ArrayList<>();
        private final List<String> files = new ArrayList<>();

        private Tree create() {
            for (int top = 0; top < PARTITIONS; top++) {
                directories.add("/t" + top);
                directories.add("/t" + top + "/d");
                files.add("/t" + top + "/f");
                files.add("/t" + top + "/d/f");
            }
            return Tree.create()
                    .directories(directories.toArray(String[]::new))
                    .files(files.toArray(String[]::new))
                    .index();
        }

        /** Returns the source and the destination of a rename that completes if all earlier renames have completed. */
        private String[] next(Random random, int number) {
            while (true) {
                List<String> sources = random.nextInt(3) == 0 ? files : directories;
                String source = sources.get(random.nextInt(sources.size()));
                String parent = random.nextInt(4) == 0 ? "" : directories.get(random.nextInt(directories.size()));
                boolean isIntoItself = (parent + "/").startsWith(source + "/");
                if (!isIntoItself && parent.chars().filter(c -> c == '/').count() < 4) {
                    String destination = parent + "/n" + number;
                    directories.replaceAll(path -> moved(path, source, destination));
                    files.replaceAll(path -> moved(path, source, destination));
                    return new String[] {source, destination};
                }
            }
        }

        private static String moved(String path, String source, String destination) {
            return (path + "/").startsWith(source + "/") ? destination + path.substring(source.length()) : path;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void applies_the_requests_of_one_producer_in_their_order_across_partitions_and_workers(long seed) throws Exception {
        Random random = new Random(seed);
        Paths paths = new Paths();
        Tree tree = paths.create();
        List<Sent> sent = new ArrayList<>();
        try (Workers workers = Workers.start(2, group.option());
                RenameProducer producer =
                        RenameProducer.connect(ProducerSettings.of(TestServers.kafkaBootstrapServers()))) {
            assertThat(workers.ids()).hasSize(2);
            group.awaitShared(2);
            for (int i = 0; i < RENAMES; i++) {
                String[] next = paths.next(random, i);
                sent.add(producer.submit(new RenameRequest(
                        producer.newRequestId(), tree.name(), next[0], next[1], OnExisting.FAIL, "link " + i)));
            }
            TreeSet<String> processIds = new TreeSet<>();
            for (Sent one : sent) {
                Outcome outcome = one.outcome().get(5, TimeUnit.MINUTES).outcome();
                assertThat(outcome.status()).as(outcome.toString()).isEqualTo(Status.COMPLETED);
                processIds.add(outcome.processId());
            }
            assertThat(processIds).hasSize(2);
        }
        List<String> expected = new ArrayList<>(paths.directories);
        expected.addAll(paths.files);
        assertThat(tree.paths().values()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(sent.stream()
                        .map(one -> Es.entry(one.requestId())
                                .orElseThrow()
                                .path("partition")
                                .asInt())
                        .collect(Collectors.toSet()))
                .hasSizeGreaterThanOrEqualTo(4);
        tree.assertNothingLeft();
    }

    private static ObjectNode after(ObjectNode request, String... ids) {
        for (String id : ids) {
            request.withArray("after").add(id);
        }
        return request;
    }

    private static void assertStatus(ObjectNode request, String status, String reason) {
        JsonNode outcome = log.outcome(Requests.id(request));
        assertThat(outcome.path("status").asText()).as(outcome.toString()).isEqualTo(status);
        assertThat(outcome.path("reason").asText("")).isEqualTo(reason);
    }

    @Test
    void rejects_a_request_after_another_one_that_the_journal_does_not_know() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        String unknown = UUID.randomUUID().toString();
        ObjectNode orphan = after(Requests.rename(tree.name(), "/a", "/b"), unknown);
        ObjectNode behind = Requests.rename(tree.name(), "/a", "/c");
        try (Workers workers = Workers.start(1, group.option(), "--after-timeout=2s")) {
            log.send(0, orphan.toString());
            log.send(0, behind.toString());

            assertStatus(orphan, "rejected", "unknown_predecessor");
            assertThat(log.outcome(Requests.id(orphan)).path("message").asText())
                    .isEqualTo("depends on request " + unknown + ", which has no journal entry");
            assertStatus(behind, "completed", "");
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/c", "/c/f");
        tree.assertNothingLeft();
    }

    @Test
    void requests_that_wait_for_others_do_not_count_towards_the_concurrency() {
        Tree tree = Tree.create().directories("/w", "/s", "/first");
        for (int i = 0; i < MANY; i++) {
            tree.files("/w/" + i, "/s/" + i);
        }
        tree.index();
        ObjectNode first = Requests.rename(tree.name(), "/first", "/second");
        ObjectNode rejected = Requests.rename(tree.name(), "/nowhere", "/elsewhere");
        List<ObjectNode> waiting = new ArrayList<>();
        List<ObjectNode> others = new ArrayList<>();
        try (Workers workers = Workers.start(1, group.option(), "--concurrency=4")) {
            for (int i = 0; i < MANY; i++) {
                ObjectNode one = Requests.rename(tree.name(), "/w/" + i, "/w/renamed-" + i);
                waiting.add(after(one, Requests.id(first), Requests.id(rejected)));
                others.add(Requests.rename(tree.name(), "/s/" + i, "/s/renamed-" + i));
                log.send(i % PARTITIONS, waiting.get(i).toString());
                log.send(i % PARTITIONS, others.get(i).toString());
            }
            others.forEach(one -> assertStatus(one, "completed", ""));
            assertThat(waiting).allMatch(one -> Es.entry(Requests.id(one)).isEmpty());

            log.send(0, rejected.toString());
            assertStatus(rejected, "rejected", "source_not_found");
            assertThat(waiting).allMatch(one -> Es.entry(Requests.id(one)).isEmpty());
            log.send(1, first.toString());
            waiting.forEach(one -> assertStatus(one, "completed", ""));

            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        String firstEnded = log.outcome(Requests.id(first)).path("finished_at").asText();
        assertThat(waiting)
                .allSatisfy(one -> assertThat(log.outcome(Requests.id(one))
                                .path("committed_at")
                                .asText())
                        .isGreaterThanOrEqualTo(firstEnded));
        tree.assertNothingLeft();
    }

    @Test
    void the_next_worker_processes_a_request_that_waited_for_its_predecessor_when_its_worker_stopped() {
        Tree tree = Tree.create()
                .directories("/a", "/first", "/other")
                .files("/a/f")
                .index();
        ObjectNode first = Requests.rename(tree.name(), "/first", "/second");
        ObjectNode held = after(Requests.rename(tree.name(), "/a", "/b"), Requests.id(first));
        ObjectNode other = Requests.rename(tree.name(), "/other", "/another");
        RecordMetadata place;
        try (Workers workers = Workers.start(1, group.option())) {
            place = log.send(0, null, held.toString().getBytes(StandardCharsets.UTF_8));
            RecordMetadata behind = log.send(0, null, other.toString().getBytes(StandardCharsets.UTF_8));
            assertStatus(other, "completed", "");
            assertThat(group.isPast(behind)).isFalse();
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertThat(Es.entry(Requests.id(held))).isEmpty();
        assertThat(group.isPast(place)).isFalse();
        try (Workers workers = Workers.start(1, group.option())) {
            log.send(5, first.toString());

            assertStatus(held, "completed", "");
            Awaitility.await("the offset is committed").atMost(Log.PATIENCE).until(() -> group.isPast(place));
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/b/f", "/second", "/another");
        tree.assertNothingLeft();
    }
}
