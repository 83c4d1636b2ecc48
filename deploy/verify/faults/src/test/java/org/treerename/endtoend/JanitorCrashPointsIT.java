package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;

/**
 * Kills a worker, and then the janitor that processes the worker's rename. The next janitor ends the rename. By default
 * the first janitor dies while it rolls the rename forward. {@code -Pfull} kills the first janitor at each of its crash
 * points. {@code -Pfull} repeats these cases while another janitor runs. The other janitor has already observed the
 * heartbeats of the first janitor.
 */
final class JanitorCrashPointsIT {

    private static final Duration PATIENCE = Log.PATIENCE;

    private static Log topics;

    @BeforeAll
    static void start() {
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    static Stream<CrashCase> cases() {
        return CrashCase.of(CrashCase.JANITORS, CrashPoint.ROLLING_FORWARD);
    }

    @ParameterizedTest(name = "janitor killed at {0}")
    @MethodSource("cases")
    void the_next_janitor_ends_the_rename(CrashCase crash) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        RecordMetadata place = killWorker(scene, group, crash);
        Janitors dying = Janitors.instrumented(1, "--crash-at=" + crash);
        try (dying) {
            assertThat(dying.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashCase.KILLED);
        }

        try (Janitors next = Janitors.start(1)) {
            assertEnds(scene, group, place, dying);
            assertThat(next.ids()).allMatch(id -> Services.state(id).equals("live"));
        }
    }

    /**
     * A gate blocks the first janitor at its crash point until the other janitor is live. Then the first janitor is
     * killed.
     */
    @Tag("full")
    @ParameterizedTest(name = "janitor killed at {0} beside another one")
    @MethodSource("cases")
    void another_running_janitor_ends_the_rename(CrashCase crash) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        RecordMetadata place = killWorker(scene, group, crash);
        Gate gate = Gate.at(crash.point(), crash.nth());
        try (Janitors dying = Janitors.instrumented(1, gate.option())) {
            gate.awaitReached();
            try (Janitors beside = Janitors.start(1)) {
                dying.processes().getFirst().kill();

                assertEnds(scene, group, place, dying);
                assertThat(beside.ids()).allMatch(id -> Services.state(id).equals("live"));
            }
        }
    }

    /** Sends the request, and waits until the worker is killed. Returns the position of the record. */
    private static RecordMetadata killWorker(Scene scene, Group group, CrashCase crash) {
        try (Workers first = Workers.instrumented(
                1, group.option(), "--lease=2s", "--page-size=100", "--crash-at=" + crash.workers())) {
            RecordMetadata place = scene.send(topics);
            assertThat(first.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashCase.KILLED);
            return place;
        }
    }

    private static void assertEnds(Scene scene, Group group, RecordMetadata place, Janitors dead) {
        try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=100")) {
            scene.awaitOutcome(topics);
            Awaitility.await("the offset is committed").atMost(Log.PATIENCE).until(() -> group.isPast(place));
            Awaitility.await("the dead janitor is fenced")
                    .atMost(Log.PATIENCE)
                    .until(() -> dead.ids().stream()
                            .allMatch(id -> Services.state(id).equals("fenced")));

            assertThat(second.ids()).allMatch(id -> Services.state(id).equals("live"));
            scene.assertCompleted(topics);
            scene.assertGood(2);
            scene.assertRenamed(false);
            scene.tree().assertNothingLeft();
        }
    }
}
