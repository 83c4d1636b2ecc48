package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.stack.ChildProcess;

/** A worker is killed, then the janitor at each of its crash points while it cleans up; the next janitor ends it. */
final class JanitorCrashPointsIT {

    private static final int TRIES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static Log topics;

    @BeforeAll
    static void start() {
        Tree.create();
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    static Stream<Arguments> cases() {
        return CrashCase.repeated(CrashCase.JANITORS);
    }

    static Stream<Arguments> casesBesideAnother() {
        return Series.of(1, cases());
    }

    @ParameterizedTest(name = "janitor killed at {0}, try {1}")
    @MethodSource("cases")
    void theNextJanitorEndsTheRename(CrashCase crash, int attempt) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        RecordMetadata place;
        try (Workers first =
                Workers.start(1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=" + crash.workers())) {
            place = scene.send(topics);
            assertThat(first.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashCase.KILLED);
        }
        Janitors dying = Janitors.start(1, "--crash-at=" + crash);
        try (dying) {
            assertThat(dying.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashCase.KILLED);
        }

        try (Janitors next = Janitors.start(1);
                Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=500")) {
            scene.awaitOutcome(topics);
            Awaitility.await("the request is let go").atMost(Log.PATIENCE).until(() -> group.isPast(place));
            Awaitility.await("the dead janitor is fenced")
                    .atMost(Log.PATIENCE)
                    .until(() -> dying.ids().stream()
                            .allMatch(id -> Services.state(id).equals("fenced")));

            scene.assertCompleted(topics);
            scene.assertGood(2);
            scene.assertRenamed(false);
            Scene.assertNothingLeft();
        }
    }

    @ParameterizedTest(name = "janitor killed at {0} beside another one, try {1}")
    @MethodSource("casesBesideAnother")
    void aJanitorThatRunsBesideItEndsTheRename(CrashCase crash, int attempt) {
        boolean died = false;
        for (int i = 0; i < TRIES && !died; i++) {
            died = diesBesideAnother(crash);
        }
        assertThat(died)
                .as("it, and not the other one, took over in one of %d tries", TRIES)
                .isTrue();
    }

    /**
     * The second one has a longer lease, so that it is not the one that judges the worker; it is there all the time, and may
     * be the first to take over what the other has fenced.
     */
    private static boolean diesBesideAnother(CrashCase crash) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        try (Janitors beside = Janitors.start(1, "--lease=4s");
                Janitors dying = Janitors.start(1, "--crash-at=" + crash);
                Workers first = Workers.start(
                        1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=" + crash.workers())) {
            RecordMetadata place = scene.send(topics);
            ChildProcess armed = dying.processes().getFirst();
            assertThat(first.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashCase.KILLED);
            Awaitility.await("it dies, or the other one has done its work")
                    .atMost(PATIENCE)
                    .until(() -> !armed.isAlive() || isOver(scene));
            boolean died = !armed.isAlive();
            assertThat(!died || armed.waitFor(PATIENCE) == CrashCase.KILLED).isTrue();

            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=500")) {
                scene.awaitOutcome(topics);
                Awaitility.await("the request is let go").atMost(Log.PATIENCE).until(() -> group.isPast(place));
                Awaitility.await("the dead janitor is fenced by the other")
                        .atMost(Log.PATIENCE)
                        .until(() -> !died
                                || dying.ids().stream()
                                        .allMatch(id -> Services.state(id).equals("fenced")));

                assertThat(beside.ids()).allMatch(id -> Services.state(id).equals("live"));
                scene.assertCompleted(topics);
                scene.assertGood(died ? 2 : 1);
                scene.assertRenamed(false);
                Scene.assertNothingLeft();
            }
            return died;
        }
    }

    private static boolean isOver(Scene scene) {
        return Es.entry(scene.requestId())
                .map(entry -> entry.path("state").asText())
                .filter(state -> state.equals("closed") || state.equals("retry"))
                .isPresent();
    }
}
