package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;
import org.treerename.testservers.TestServers;

/**
 * Freezes a worker in the middle of a rename. The worker is fenced, and its rename is rolled forward. When the worker
 * continues, its late requests change nothing. By default the worker freezes in the middle of the move. {@code -Pfull}
 * freezes the worker before each kind of write.
 */
final class FrozenWorkerIT {

    private static final int NEW_FILES = 100;

    private static Log topics;
    private static Janitors janitors;

    @BeforeAll
    static void start() {
        topics = Log.open();
        janitors = Janitors.start(1);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        topics.close();
    }

    static Stream<CrashCase> cases() {
        // only a decided rename ends while its worker is frozen
        return CrashCase.of(CrashCase.FROZEN, CrashPoint.WITHIN_MOVE).filter(crash -> !crash.isInLocking());
    }

    @ParameterizedTest(name = "frozen at {0}")
    @MethodSource("cases")
    void a_new_tree_at_the_source_stays_unchanged_and_the_worker_works_again(CrashCase crash)
            throws IOException, InterruptedException {
        Scene scene = Scene.create(crash.isOfReplacing());
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers =
                Workers.instrumented(1, group.option(), "--lease=2s", "--page-size=100", "--freeze-at=" + crash)) {
            RecordMetadata place = scene.send(topics);
            JsonNode outcome = scene.awaitOutcome(topics);
            scene.awaitClosed();
            assertThat(outcome.path("rolled_forward").asBoolean()).isEqualTo(crash.isOfMoving());
            assertThat(workers.ids())
                    .singleElement()
                    .extracting(Services::state)
                    .isEqualTo("fenced");
            scene.assertGood(1);
            scene.assertRenamed(crash.isOfReplacing());
            Map<String, Long> renamed = scene.tree().versionsBelow(Scene.DESTINATION);
            scene.tree().directories(Scene.SOURCE);
            for (int i = 0; i < NEW_FILES; i++) {
                scene.tree().files(Scene.SOURCE + "/file-" + i);
            }
            scene.tree().index();
            Map<String, Long> fresh = scene.tree().versionsBelow(Scene.SOURCE);
            ChangeCheck changeCheck = ChangeCheck.of(scene.tree());
            scene.holdSource();

            workers.wake();
            Awaitility.await("a new process id")
                    .atMost(Log.PATIENCE)
                    .until(() -> !workers.reborn().isEmpty());
            Awaitility.await("the offset is committed").atMost(Log.PATIENCE).until(() -> group.isPast(place));

            scene.assertCompleted(topics);
            assertThat(scene.isSourceHeld()).isTrue();
            // release the lock, because with the global granularity it blocks every other rename
            scene.letSourceGo();
            ObjectNode next = Requests.rename(scene.tree().name(), Scene.OUTSIDE, "/elsewhere");
            RecordMetadata nextPlace = topics.send(0, null, next.toString().getBytes(StandardCharsets.UTF_8));
            JsonNode ended = topics.outcome(Requests.id(next));
            Awaitility.await("the next offset is committed")
                    .atMost(Log.PATIENCE)
                    .until(() -> group.isPast(nextPlace));

            assertThat(ended.path("status").asText()).isEqualTo("completed");
            assertThat(workers.reborn()).contains(ended.path("process_id").asText());
            assertThat(fresh).hasSize(NEW_FILES + 1);
            assertThat(scene.tree().versionsBelow(Scene.SOURCE)).isEqualTo(fresh);
            assertThat(scene.tree().versionsBelow(Scene.DESTINATION)).isEqualTo(renamed);
            changeCheck.assertGood(0);
            scene.tree().assertNothingLeft();
        }
    }

    @Test
    void a_worker_that_wakes_after_another_worker_has_its_partitions_changes_nothing()
            throws IOException, InterruptedException {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        try (Workers frozen =
                Workers.instrumented(1, group.option(), "--lease=2s", "--page-size=100", "--freeze-at=WITHIN_MOVE:2")) {
            RecordMetadata place = scene.send(topics);
            scene.awaitClosed();
            try (Workers other = Workers.start(1, group.option(), "--lease=2s", "--page-size=100")) {
                Awaitility.await("the other worker has the partition and commits the offset")
                        .atMost(Log.PATIENCE)
                        .until(() -> group.isPast(place));
                Map<String, Long> renamed = scene.tree().versionsBelow(Scene.DESTINATION);
                scene.tree().directories(Scene.SOURCE);
                scene.tree().files(Scene.SOURCE + "/file-0").index();
                Map<String, Long> fresh = scene.tree().versionsBelow(Scene.SOURCE);

                frozen.wake();
                Awaitility.await("a new process id")
                        .atMost(Log.PATIENCE)
                        .until(() -> !frozen.reborn().isEmpty());

                scene.assertOneOutcome(topics);
                assertThat(fresh).hasSize(2);
                assertThat(scene.tree().versionsBelow(Scene.SOURCE)).isEqualTo(fresh);
                assertThat(scene.tree().versionsBelow(Scene.DESTINATION)).isEqualTo(renamed);
                assertThat(other.ids()).allMatch(id -> Services.state(id).equals("live"));
            }
        }
        scene.tree().assertNothingLeft();
    }

    @Test
    void a_worker_that_is_fenced_by_hand_is_taken_over_before_its_lease_ends()
            throws IOException, InterruptedException {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.instrumented(
                1, group.option(), "--lease=60s", "--page-size=100", "--freeze-at=WITHIN_MOVE:2")) {
            String worker = workers.ids().iterator().next();
            RecordMetadata place = scene.send(topics);
            workers.awaitFrozen();

            Console.Output fenced = fence(worker);
            scene.awaitClosed();
            Console.Output again = fence(worker);
            workers.wake();
            Awaitility.await("a new process id")
                    .atMost(Log.PATIENCE)
                    .until(() -> !workers.reborn().isEmpty());
            Awaitility.await("the offset is committed").atMost(Log.PATIENCE).until(() -> group.isPast(place));

            assertThat(fenced.code()).isZero();
            assertThat(fenced.err())
                    .contains(worker + " on ", ", owns 1 journal entry\n")
                    .contains("  request " + scene.requestId() + " (/source to /destination in ", " is moving\n");
            assertThat(fenced.out()).contains(worker + " is fenced; a janitor takes over its renames");
            assertThat(again).isEqualTo(new Console.Output(0, worker + " is fenced already\n", ""));
            assertThat(scene.awaitOutcome(topics).path("rolled_forward").asBoolean())
                    .isTrue();
            scene.assertOneOutcome(topics);
            scene.assertGood(1);
            scene.assertRenamed(false);
        }
        scene.tree().assertNothingLeft();
    }

    private static Console.Output fence(String worker) throws IOException, InterruptedException {
        return Console.output(
                "org.treerename.janitor.admin.Main",
                List.of("fence", worker, "--yes", "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
    }
}
