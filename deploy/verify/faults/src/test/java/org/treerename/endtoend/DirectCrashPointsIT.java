package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/**
 * Kills a process of a direct rename (a rename without Kafka) at a crash point. If the process dies before the commit,
 * a janitor marks the rename as failed. If the process dies after the commit, a janitor rolls the rename forward. The
 * janitor cannot reach Kafka. By default the process is killed before and after the commit, in the middle of the move,
 * and after the write of DONE. {@code -Pfull} kills the process at every point.
 */
final class DirectCrashPointsIT {

    /** The option for an address of Kafka at which no server listens. */
    private static final String NO_KAFKA = "--kafka-bootstrap-servers=127.0.0.1:1";

    private static Janitors janitors;

    @BeforeAll
    static void start() {
        Log.open().close();
        janitors = Janitors.start(1, NO_KAFKA);
    }

    @AfterAll
    static void stop() {
        janitors.close();
    }

    static Stream<CrashCase> cases() {
        return CrashCase.of(
                CrashCase.DIRECT,
                CrashPoint.AFTER_PREPARE,
                CrashPoint.AFTER_COMMIT,
                CrashPoint.WITHIN_MOVE,
                CrashPoint.BEFORE_RELEASE);
    }

    @ParameterizedTest(name = "killed at {0}")
    @MethodSource("cases")
    void the_rename_of_a_killed_process_is_finished_or_has_changed_nothing(CrashCase crash) {
        Scene scene = Scene.create(crash.isOfReplacing());
        Map<String, String> before = scene.tree().paths();
        if (crash.isOfRefused()) {
            scene.holdSource();
        }

        int exit = run(scene, crash);
        if (crash.isOfRefused()) {
            scene.letSourceGo();
        }

        assertThat(exit).isEqualTo(CrashCase.KILLED);
        if (crash.point() == CrashPoint.BEFORE_PREPARE) {
            assertThat(Es.entry(scene.requestId())).isEmpty();
        } else {
            scene.awaitClosed();
            assertOutcome(crash, scene);
        }
        if (crash.isDecided()) {
            scene.assertRenamed(crash.isOfReplacing());
        } else {
            assertThat(scene.tree().paths()).isEqualTo(before);
        }
        scene.tree().assertNothingLeft();
        Awaitility.await("the dead process is fenced")
                .atMost(Log.PATIENCE)
                .until(() -> Services.live("direct").isEmpty());
    }

    private static void assertOutcome(CrashCase crash, Scene scene) {
        try {
            JsonNode outcome = Es.JSON.readTree(
                    Es.entry(scene.requestId()).orElseThrow().path("outcome").asText());
            assertThat(outcome.path("status").asText()).isEqualTo(crash.isDecided() ? "completed" : "failed");
            assertThat(outcome.path("reason").textValue()).isEqualTo(crash.isDecided() ? null : "process_ended");
            assertThat(outcome.path("rolled_forward").asBoolean()).isEqualTo(crash.isOfMoving());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a process that is killed at the crash point. Returns the exit code of the process. */
    private static int run(Scene scene, CrashCase crash) {
        List<String> arguments = new ArrayList<>(List.of(
                Scene.SOURCE,
                Scene.DESTINATION,
                "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                "--namespace=" + scene.tree().name(),
                "--request-id=" + scene.requestId(),
                "--crash-at=" + crash));
        if (crash.isOfReplacing()) {
            arguments.add("--replace");
        }
        Path log = Path.of("target", "direct", scene.requestId() + ".log");
        try (ChildProcess process = JavaCommand.of(
                        Program.INSTRUMENTED_DIRECT, String.join(File.pathSeparator, ClassPath.jars()), log)
                .jvmOptions(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=org/treerename/service/logback.xml")
                .arguments(arguments.toArray(String[]::new))
                .start()) {
            return process.waitFor(Log.PATIENCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
