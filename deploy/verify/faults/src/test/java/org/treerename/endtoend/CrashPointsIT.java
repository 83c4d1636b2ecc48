package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;

/**
 * Kills a worker at a crash point. Another process ends the rename of this worker. By default the worker is killed
 * before the commit, in the middle of the move, and after the write of DONE. {@code -Pfull} kills the worker at every
 * point.
 */
final class CrashPointsIT {

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
        return CrashCase.of(
                CrashCase.WORKERS, CrashPoint.AFTER_PREPARE, CrashPoint.WITHIN_MOVE, CrashPoint.BEFORE_RELEASE);
    }

    @ParameterizedTest(name = "killed at {0}")
    @MethodSource("cases")
    void the_rename_of_a_killed_worker_ends_once_and_nothing_is_left(CrashCase crash) {
        Scene scene = Scene.create(crash.isOfReplacing());
        Group group = Group.atTheEndOfTheLog();
        if (crash.isOfRefused()) {
            scene.holdSource();
        }
        try (Workers first =
                Workers.instrumented(1, group.option(), "--lease=2s", "--page-size=100", "--crash-at=" + crash)) {
            RecordMetadata place = scene.send(topics);

            int exit = first.processes().getFirst().waitFor(Log.PATIENCE);
            if (crash.isOfRefused()) {
                scene.letSourceGo();
            }

            assertThat(exit).isEqualTo(CrashCase.KILLED);
            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=100")) {
                JsonNode outcome = scene.awaitOutcome(topics);
                Awaitility.await("the offset is committed").atMost(Log.PATIENCE).until(() -> group.isPast(place));

                assertThat(outcome.path("rolled_forward").asBoolean()).isEqualTo(crash.isOfMoving());
                scene.assertCompleted(topics);
                scene.assertGood(1);
                scene.assertRenamed(crash.isOfReplacing());
                scene.tree().assertNothingLeft();
                Awaitility.await("the dead worker is fenced")
                        .atMost(Log.PATIENCE)
                        .until(() -> first.ids().stream()
                                .allMatch(id -> Services.state(id).equals("fenced")));
            }
        }
    }
}
