package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.treerename.stack.ChildProcess;

/**
 * Sends a stop signal to a worker. The worker releases the locks of undecided renames and hands over the decided
 * renames.
 */
final class StoppingIT {

    private static final int LONG = 600;
    private static final int SMALL = 20;
    private static final String LEASE = "--lease=30s";
    private static final Duration IN_TIME = Duration.ofSeconds(20);

    /** With these options, the long move takes 30 s. This time is much longer than the grace period. */
    private static final String[] SLOW = {"--page-size=10", "--documents-per-second=20", "--shutdown-grace=10s"};

    private static final int SIGTERM = 143;

    @Test
    void a_stopping_worker_releases_a_rename_that_waits_for_a_lock_and_the_next_worker_completes_it() {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String group = Group.atTheEndOfTheLog().option();
        try (Log log = Log.open();
                Workers first = Workers.start(1, group)) {
            log.send(0, request.toString());
            Claims.awaitRefusal(tree.name(), Requests.id(request));
            String owner = entry(request).path("owner").asText();

            first.processes().getFirst().stop(ChildProcess.PATIENCE);

            assertThat(entry(request).path("state").asText()).isEqualTo("retry");
            assertThat(entry(request).path("hold_id").isNull()).isTrue();
            assertThat(Claims.in(tree.name())).isEmpty();
            assertThat(Holding.holdsAt(tree.name(), "/a")).containsExactly(Holding.holdOf(holder));
            assertThat(Es.control("process").stream()
                            .filter(p -> p.path("process_id").asText().equals(owner))
                            .map(p -> p.path("state").asText()))
                    .containsExactly("stopped");
            assertThat(log.outcomes(Requests.id(request))).isEmpty();

            Holding.release(tree.name(), "/a", holder);
            try (Workers second = Workers.start(1, group)) {
                JsonNode outcome = log.outcome(Requests.id(request));
                assertThat(outcome.path("status").asText()).isEqualTo("completed");
            }
        }
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
        tree.assertNothingLeft();
    }

    /**
     * The worker continues until the end of the grace period, and then hands over the unfinished renames. The next
     * worker does not wait until a lease ends.
     */
    @Test
    void a_worker_under_load_stops_in_time_and_hands_over_the_renames_that_have_not_ended()
            throws InterruptedException {
        Tree tree = Tree.create().directories("/long", "/small");
        for (int i = 0; i < LONG; i++) {
            tree.files("/long/file-" + i);
        }
        for (int i = 0; i < SMALL; i++) {
            tree.files("/small/file-" + i);
        }
        tree.index();
        List<ObjectNode> requests = new ArrayList<>();
        requests.add(Requests.rename(tree.name(), "/long", "/moved"));
        for (int i = 0; i < SMALL; i++) {
            requests.add(Requests.rename(tree.name(), "/small/file-" + i, "/small/renamed-" + i));
        }
        String group = Group.atTheEndOfTheLog().option();
        try (Log log = Log.open();
                Janitors janitors = Janitors.start(1, LEASE);
                Workers first = Workers.start(1, group, LEASE, SLOW[0], SLOW[1], SLOW[2])) {
            log.send(0, requests.getFirst().toString());
            Awaitility.await("the rename is moving")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(Requests.id(requests.getFirst()))
                            .filter(entry -> entry.path("state").asText().equals("moving"))
                            .isPresent());
            String id = first.ids().iterator().next();
            assertThat(entry(requests.getFirst()).path("owner").asText()).isEqualTo(id);
            requests.subList(1, requests.size()).forEach(r -> log.send(1, r.toString()));
            ChildProcess process = first.processes().getFirst();

            Thread stopping = Thread.ofPlatform().start(() -> process.stop(IN_TIME));

            Awaitility.await("the worker is not ready any more")
                    .atMost(IN_TIME)
                    .until(() -> first.get("/health/ready").body().contains("stopping"));
            assertThat(Services.state(id)).isEqualTo("live");
            stopping.join();
            assertThat(process.waitFor(IN_TIME))
                    .as("exit code of a process that was stopped and not killed")
                    .isEqualTo(SIGTERM);
            assertThat(Services.state(id)).isEqualTo("stopped");
            assertThat(log.outcomes(Requests.id(requests.getFirst()))).isEmpty();

            try (Workers second = Workers.start(1, group, LEASE)) {
                assertThat(requests)
                        .allSatisfy(r -> assertThat(log.outcome(Requests.id(r))
                                        .path("status")
                                        .asText())
                                .isEqualTo("completed"));
                assertThat(second.ids()).allMatch(other -> Services.state(other).equals("live"));
            }
            // the janitor closes the entries of the requests that the second worker has answered from the journal
            tree.assertNothingLeft();
            assertThat(janitors.ids()).allMatch(other -> Services.state(other).equals("live"));
        }
        assertThat(tree.paths().values())
                .hasSize(LONG + SMALL + 2)
                .noneMatch(path -> path.startsWith("/long") || path.startsWith("/small/file-"));
    }

    /**
     * The first worker owned all partitions, so the other requests go to all of them. None of them waits for the end of
     * the long move.
     */
    @Test
    void a_stopping_worker_gives_its_partitions_back_while_its_long_move_continues() throws InterruptedException {
        Tree tree = Tree.create().directories("/long", "/small");
        for (int i = 0; i < LONG / 2; i++) {
            tree.files("/long/file-" + i);
        }
        for (int i = 0; i < Log.PARTITIONS; i++) {
            tree.files("/small/file-" + i);
        }
        tree.index();
        ObjectNode move = Requests.rename(tree.name(), "/long", "/moved");
        List<ObjectNode> others = new ArrayList<>();
        for (int i = 0; i < Log.PARTITIONS; i++) {
            others.add(Requests.rename(tree.name(), "/small/file-" + i, "/small/renamed-" + i));
        }
        String group = Group.atTheEndOfTheLog().option();
        try (Log log = Log.open();
                Workers first = Workers.start(
                        1, group, LEASE, "--page-size=5", "--documents-per-second=5", "--shutdown-grace=2m")) {
            log.send(0, move.toString());
            Awaitility.await("the rename is moving")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(Requests.id(move))
                            .filter(entry -> entry.path("state").asText().equals("moving"))
                            .isPresent());
            String id = first.ids().iterator().next();
            Thread stopping =
                    Thread.ofPlatform().start(() -> first.processes().getFirst().stop(Log.PATIENCE));

            try (Workers second = Workers.start(1, group, LEASE)) {
                for (int i = 0; i < Log.PARTITIONS; i++) {
                    log.send(i, others.get(i).toString());
                }
                assertThat(others)
                        .allSatisfy(request -> assertThat(log.outcome(Requests.id(request))
                                        .path("status")
                                        .asText())
                                .isEqualTo("completed"));
                assertThat(entry(move).path("state").asText()).isEqualTo("moving");
                assertThat(entry(move).path("owner").asText()).isEqualTo(id);
                assertThat(log.outcome(Requests.id(move)).path("rolled_forward").asBoolean())
                        .isFalse();
                assertThat(second.ids()).allMatch(other -> Services.state(other).equals("live"));
            }
            stopping.join();
        }
        assertThat(tree.paths().values())
                .noneMatch(path -> path.startsWith("/long") || path.startsWith("/small/file-"));
        tree.assertNothingLeft();
    }

    private static JsonNode entry(ObjectNode request) {
        return Es.entry(Requests.id(request)).orElseThrow();
    }
}
