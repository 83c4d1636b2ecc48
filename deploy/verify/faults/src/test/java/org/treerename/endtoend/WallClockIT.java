package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests workers and janitors whose wall clocks differ by two hours. The wrong clocks do not change the recovery from
 * dead and frozen workers, because the recovery reads no wall clock. By default, the only test is the death of a worker
 * with a fast clock. {@code -Pfull} also tests a dead worker with a slow clock, and frozen workers.
 */
final class WallClockIT {

    private static final String AHEAD = "--wall-clock-ahead=1h";
    private static final String BEHIND = "--wall-clock-behind=1h";
    private static final String CRASH = "WITHIN_MOVE:2";

    private static Log topics;

    private final Group group = Group.atTheEndOfTheLog();

    @BeforeAll
    static void start() {
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    static Stream<Arguments> clocksOfDeadWorkers() {
        return Series.of(1, Stream.of(Arguments.of(AHEAD, BEHIND), Arguments.of(BEHIND, AHEAD)));
    }

    static Stream<Arguments> clocksOfFrozenWorkers() {
        return Stream.of(Arguments.of(BEHIND, AHEAD), Arguments.of(AHEAD, BEHIND));
    }

    @ParameterizedTest(name = "workers {0}, janitor {1}")
    @MethodSource("clocksOfDeadWorkers")
    void the_rename_of_a_dead_worker_is_rolled_forward_and_no_other_process_is_fenced(String workers, String janitor) {
        Scene scene = Scene.create(false);
        try (Janitors janitors = Janitors.instrumented(1, janitor);
                Workers dying = workers(workers, "--crash-at=" + CRASH)) {
            scene.send(topics);
            assertThat(dying.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
            try (Workers living = workers(workers)) {
                JsonNode outcome = scene.awaitOutcome(topics);
                scene.awaitClosed();

                assertThat(outcome.path("rolled_forward").asBoolean()).isTrue();
                assertThat(Duration.between(instant(outcome, "committed_at"), instant(outcome, "finished_at"))
                                .abs())
                        .as("difference between the clocks of worker and janitor")
                        .isGreaterThan(Duration.ofMinutes(110));
                scene.assertOneOutcome(topics);
                scene.assertRenamed(false);
                assertThat(dying.ids()).allMatch(id -> Services.state(id).equals("fenced"));
                assertThat(living.ids()).allMatch(id -> Services.state(id).equals("live"));
                assertThat(janitors.ids()).allMatch(id -> Services.state(id).equals("live"));
            }
            scene.tree().assertNothingLeft();
        }
    }

    @Tag("full")
    @ParameterizedTest(name = "workers {0}, janitor {1}")
    @MethodSource("clocksOfFrozenWorkers")
    void a_frozen_worker_harms_nothing_when_it_wakes_and_works_again(String workers, String janitor)
            throws IOException, InterruptedException {
        Scene scene = Scene.create(false);
        try (Janitors janitors = Janitors.instrumented(1, janitor);
                Workers frozen = workers(workers, "--freeze-at=" + CRASH)) {
            scene.send(topics);
            scene.awaitClosed();
            assertThat(frozen.ids()).allMatch(id -> Services.state(id).equals("fenced"));
            scene.assertRenamed(false);
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
            assertThat(janitors.ids()).allMatch(id -> Services.state(id).equals("live"));
            scene.tree().assertNothingLeft();
        }
    }

    private static Instant instant(JsonNode outcome, String field) {
        return Instant.parse(outcome.path(field).asText());
    }

    private Workers workers(String clock, String... options) {
        return Workers.instrumented(
                1,
                Stream.concat(Stream.of(group.option(), "--lease=2s", "--page-size=100", clock), Stream.of(options))
                        .toArray(String[]::new));
    }
}
