package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.protocol.ModelChecker;
import org.treerename.protocol.Recording;
import org.treerename.protocol.Recording.Renamed;
import org.treerename.steps.Step;

/**
 * Tests that the logged steps of real processes are a path through the model of the protocol. The first worker is
 * killed, by default in the middle of the move. Only {@code -Pfull} tests two more crash points, because each crash
 * point needs a run of TLC.
 */
final class ReplayIT {

    private static final int FILES = 4;
    private static final Pattern LIVE = Pattern.compile(" (\\S+) is live$");
    private static final String[] WORKER = {"--lease=2s", "--page-size=2"};
    private static final List<String> JANITOR = List.of("--lease=2s", "--page-size=2", "--sweep-every=10m");

    private final ModelChecker checker = new ModelChecker(Path.of("target", "replays"), 1, Duration.ofMinutes(5));

    static Stream<String> crashes() {
        return Series.of(1, Stream.of("between_pages:1", "after_commit:1", "before_done:1"));
    }

    @ParameterizedTest(name = "killed at {0}")
    @MethodSource("crashes")
    void the_steps_of_a_real_run_are_a_path_through_the_model(String crash) throws IOException {
        Tree tree = Tree.create().directories("/source");
        for (int i = 0; i < FILES; i++) {
            tree.files("/source/file-" + i);
        }
        ObjectNode request = Requests.rename(tree.index().name(), "/source", "/destination");
        String requestId = Requests.id(request);
        Recording recording = new Recording(List.of(new Renamed(requestId, FILES + 1, 1)));
        try (Log topics = Log.open();
                Services janitors = Services.start("janitor", Program.INSTRUMENTED_JANITOR, 1, JANITOR)) {
            Group group = Group.atTheEndOfTheLog();
            try (Services dying = worker(group, "--crash-at=" + crash)) {
                RecordMetadata place = topics.send(0, null, request.toString().getBytes(StandardCharsets.UTF_8));
                assertThat(dying.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
                try (Services second = worker(group)) {
                    topics.outcome(requestId);
                    Awaitility.await("the offset is committed")
                            .atMost(Log.PATIENCE)
                            .until(() -> group.isPast(place));
                    recording.killed(add(recording, dying, requestId));
                    add(recording, second, requestId);
                    add(recording, janitors, requestId);
                }
            }
        }

        assertThat(recording.isAllowed(checker, crash.replace(':', '-'))).isTrue();
    }

    private static Services worker(Group group, String... more) {
        List<String> options = Stream.of(Stream.of(WORKER), Stream.of(group.option()), Stream.of(more))
                .flatMap(option -> option)
                .toList();
        return Services.start("worker", Program.INSTRUMENTED_WORKER, 1, options);
    }

    /** Adds the steps that one process has logged for this request. Returns the id of the process. */
    private static String add(Recording recording, Services one, String requestId) throws IOException {
        List<String> lines = Files.readAllLines(one.logs().getFirst());
        String processId = lines.stream()
                .map(LIVE::matcher)
                .filter(Matcher::find)
                .map(live -> live.group(1))
                .findFirst()
                .orElseThrow();
        List<Step> steps = lines.stream()
                .map(Step::in)
                .flatMap(Optional::stream)
                .filter(step -> step.request().isEmpty()
                        || step.request().equals(requestId)
                        || step.hold().length() > 0)
                .toList();
        assertThat(steps).describedAs("steps of %s", processId).isNotEmpty();
        recording.add(processId, steps);
        return processId;
    }
}
