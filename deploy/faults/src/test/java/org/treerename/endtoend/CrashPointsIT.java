package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker is killed at each of its crash points, and what it had begun ends all the same. */
final class CrashPointsIT {

    private static final Logger log = LoggerFactory.getLogger(CrashPointsIT.class);

    private static Log topics;
    private static Janitors janitors;

    @BeforeAll
    static void start() {
        Tree.create();
        topics = Log.open();
        janitors = Janitors.start(1);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        topics.close();
    }

    static Stream<Arguments> cases() {
        return CrashCase.repeated(CrashCase.WORKERS);
    }

    @ParameterizedTest(name = "killed at {0}, try {1}")
    @MethodSource("cases")
    void theRenameEndsOnceAndNothingIsLeft(CrashCase crash, int attempt) {
        Scene scene = Scene.create(crash.isOfReplacing());
        Group group = Group.atTheEndOfTheLog();
        if (crash.isOfRefused()) {
            scene.holdSource();
        }
        try (Workers first = Workers.start(1, group.option(), "--lease=2s", "--page-size=500", "--crash-at=" + crash)) {
            RecordMetadata place = scene.send(topics);

            int exit = first.processes().getFirst().waitFor(Duration.ofMinutes(1));
            long died = System.nanoTime();
            if (crash.isOfRefused()) {
                scene.letSourceGo();
            }

            assertThat(exit).isEqualTo(CrashCase.KILLED);
            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=500")) {
                JsonNode outcome = scene.awaitOutcome(topics);
                Duration took = Duration.ofNanos(System.nanoTime() - died);
                Awaitility.await("the request is let go").atMost(Log.PATIENCE).until(() -> group.isPast(place));

                log.info("{}, try {}: the outcome came {} ms after the death", crash, attempt, took.toMillis());
                assertThat(outcome.path("rolled_forward").asBoolean()).isEqualTo(crash.isOfMoving());
                scene.assertCompleted(topics);
                scene.assertGood(1);
                scene.assertRenamed(crash.isOfReplacing());
                Scene.assertNothingLeft();
                Awaitility.await("the dead worker is fenced")
                        .atMost(Log.PATIENCE)
                        .until(() -> first.ids().stream()
                                .allMatch(id -> Services.state(id).equals("fenced")));
            }
        }
    }
}
