package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.crash.CrashPoint;

/**
 * Tests requests of one partition. Requests that do not overlap run at the same time. Requests that overlap run in the
 * order of the log.
 */
final class SideBySideIT {

    private static final int LONG = 400;
    private static final int SMALL = 20;
    private static final int CHAIN = 8;
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

    private static Tree withManyFiles(String... directories) {
        Tree tree = Tree.create().directories(directories);
        for (String directory : directories) {
            for (int i = 0; i < LONG / directories.length; i++) {
                tree.files(directory + "/file-" + i);
            }
        }
        return tree;
    }

    private static void awaitMoving(ObjectNode request) {
        Awaitility.await("the rename is moving")
                .atMost(Log.PATIENCE)
                .until(() -> Es.entry(Requests.id(request))
                        .filter(entry -> entry.path("state").asText().equals("moving"))
                        .isPresent());
    }

    private static Instant finished(JsonNode outcome) {
        return Instant.parse(outcome.path("finished_at").asText());
    }

    private static Instant committed(JsonNode outcome) {
        return Instant.parse(outcome.path("committed_at").asText());
    }

    @Test
    void a_long_rename_does_not_hold_up_the_requests_behind_it_in_its_partition() {
        Tree tree = withManyFiles("/long").directories("/small");
        for (int i = 0; i < SMALL; i++) {
            tree.files("/small/file-" + i);
        }
        tree.index();
        ObjectNode longRename = Requests.rename(tree.name(), "/long", "/longer");
        List<ObjectNode> small = new ArrayList<>();
        Gate gate = Gate.at(CrashPoint.BETWEEN_PAGES, 2);
        try (Workers workers = Workers.instrumented(1, group.option(), "--page-size=50", gate.option())) {
            log.send(0, longRename.toString());
            gate.awaitReached();
            for (int i = 0; i < SMALL; i++) {
                ObjectNode file = Requests.rename(tree.name(), "/small/file-" + i, "/small/renamed-" + i);
                small.add(file);
                log.send(0, file.toString());
            }

            small.forEach(SideBySideIT::assertCompleted);
            assertThat(log.outcomes(Requests.id(longRename))).isEmpty();

            gate.open();
            assertCompleted(longRename);
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        tree.assertNothingLeft();
    }

    private static void assertCompleted(ObjectNode request) {
        JsonNode outcome = log.outcome(Requests.id(request));
        assertThat(outcome.path("status").asText()).as("%s", outcome).isEqualTo("completed");
    }

    @ParameterizedTest(name = "--group-protocol={0}")
    @ValueSource(strings = {"consumer", "classic"})
    void requests_that_overlap_run_in_the_order_of_the_log(String protocol) {
        Tree tree = Tree.create().directories("/d0");
        for (int i = 0; i < CHAIN; i++) {
            tree.files("/d0/file-" + i);
        }
        tree.index();
        List<ObjectNode> requests = new ArrayList<>();
        for (int i = 0; i < CHAIN; i++) {
            requests.add(Requests.rename(tree.name(), "/d" + i + "/file-" + i, "/d" + i + "/renamed-" + i));
            requests.add(Requests.rename(tree.name(), "/d" + i, "/d" + (i + 1)));
        }
        try (Workers workers = Workers.start(1, group.option(), "--group-protocol=" + protocol)) {
            requests.forEach(r -> log.send(1, r.toString()));

            List<JsonNode> outcomes =
                    requests.stream().map(r -> log.outcome(Requests.id(r))).toList();

            assertThat(outcomes).allMatch(o -> o.path("status").asText().equals("completed"));
            for (int i = 1; i < outcomes.size(); i++) {
                assertThat(committed(outcomes.get(i))).isAfterOrEqualTo(finished(outcomes.get(i - 1)));
            }
            assertThat(tree.paths().values()).hasSize(CHAIN + 1).allMatch(p -> p.startsWith("/d" + CHAIN));
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        tree.assertNothingLeft();
    }

    static Stream<String> protocols() {
        return Series.of(1, Stream.of("consumer", "classic"));
    }

    @ParameterizedTest(name = "--group-protocol={0}")
    @MethodSource("protocols")
    void a_worker_that_loses_partitions_finishes_its_moves_and_the_next_worker_waits_for_them(String protocol) {
        String[] directories = {"/p0", "/p1", "/p2", "/p3", "/p4", "/p5", "/p6", "/p7"};
        Tree tree = withManyFiles(directories).index();
        List<ObjectNode> requests = new ArrayList<>();
        Gate gate = Gate.fromOn(CrashPoint.BETWEEN_PAGES, 1);
        try (Workers first = Workers.instrumented(
                1, group.option(), "--page-size=20", "--group-protocol=" + protocol, gate.option())) {
            for (int i = 0; i < directories.length; i++) {
                ObjectNode request = Requests.rename(tree.name(), directories[i], "/moved" + i);
                requests.add(request);
                log.send(i, request.toString());
            }
            requests.forEach(SideBySideIT::awaitMoving);
            try (Workers second = Workers.start(1, group.option(), "--page-size=20", "--group-protocol=" + protocol)) {
                group.awaitShared(2);
                gate.open();
                ObjectNode next = Requests.rename(tree.name(), "/moved0", "/again");
                List<JsonNode> outcomes =
                        requests.stream().map(r -> log.outcome(Requests.id(r))).toList();
                log.send(0, next.toString());
                JsonNode nextOutcome = log.outcome(Requests.id(next));

                assertThat(outcomes)
                        .allMatch(o -> o.path("status").asText().equals("completed"))
                        .allMatch(o -> !o.path("rolled_forward").asBoolean(true))
                        .allMatch(o -> first.ids().contains(o.path("process_id").asText()));
                assertThat(nextOutcome.path("status").asText()).isEqualTo("completed");
                Awaitility.await(
                                "the new owner of a partition receives a request again and answers it from the journal")
                        .atMost(Log.PATIENCE)
                        .until(() -> requests.stream()
                                .anyMatch(r -> log.outcomes(Requests.id(r)).size() > 1));
                assertThat(second.ids()).allMatch(id -> Services.state(id).equals("live"));
                assertThat(requests)
                        .allSatisfy(r -> assertThat(log.outcomes(Requests.id(r)))
                                .containsOnly(log.outcomeText(Requests.id(r), 1)));
            }
        }
        assertThat(tree.paths().values())
                .hasSize(LONG + directories.length)
                .allMatch(p -> p.startsWith("/moved") || p.startsWith("/again"));
        tree.assertNothingLeft();
    }
}
