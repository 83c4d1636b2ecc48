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

/** A worker is killed, then the janitor at each of its crash points while it cleans up; the next janitor ends it. */
final class JanitorCrashPointsIT {

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

    @ParameterizedTest(name = "janitor killed at {0}, try {1}")
    @MethodSource("cases")
    void theNextJanitorEndsTheRename(CrashCase crash, int attempt) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        RecordMetadata place;
        try (Workers first =
                Workers.start(1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=" + crash.workers())) {
            place = scene.send(topics);
            assertThat(first.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashPointsIT.KILLED);
        }
        Janitors dying = Janitors.start(1, "--crash-at=" + crash);
        try (dying) {
            assertThat(dying.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashPointsIT.KILLED);
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

    /** The second one has a longer lease, so that it is the first one that judges the worker; it is there all the time. */
    @ParameterizedTest(name = "janitor killed at {0} beside another one, try {1}")
    @MethodSource("cases")
    void aJanitorThatRunsBesideItEndsTheRename(CrashCase crash, int attempt) {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        try (Janitors beside = Janitors.start(1, "--lease=4s");
                Janitors dying = Janitors.start(1, "--crash-at=" + crash);
                Workers first = Workers.start(
                        1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=" + crash.workers())) {
            RecordMetadata place = scene.send(topics);
            assertThat(first.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashPointsIT.KILLED);
            assertThat(dying.processes().getFirst().waitFor(PATIENCE)).isEqualTo(CrashPointsIT.KILLED);

            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=500")) {
                scene.awaitOutcome(topics);
                Awaitility.await("the request is let go").atMost(Log.PATIENCE).until(() -> group.isPast(place));
                Awaitility.await("the dead janitor is fenced by the other")
                        .atMost(Log.PATIENCE)
                        .until(() -> dying.ids().stream()
                                .allMatch(id -> Services.state(id).equals("fenced")));

                assertThat(beside.ids()).allMatch(id -> Services.state(id).equals("live"));
                scene.assertCompleted(topics);
                scene.assertGood(2);
                scene.assertRenamed(false);
                Scene.assertNothingLeft();
            }
        }
    }
}
