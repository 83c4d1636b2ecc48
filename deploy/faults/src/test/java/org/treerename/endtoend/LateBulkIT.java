package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.treerename.endtoend.LateProxy.Sent;

/**
 * Requests of a dead worker that reach Elasticsearch only after everything was reclaimed leave nothing behind. By default the
 * late request is one that takes locks, or one that moves documents; {@code -Pfull} adds the commit, which the same comparison
 * of owners refuses as every other late step of the journal.
 */
final class LateBulkIT {

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

    @Test
    void locks_that_are_taken_after_their_rename_has_ended_are_swept() throws IOException {
        endedByAnother(
                bulk -> bulk.uri().contains("tree-rename-control/_bulk")
                        && bulk.body().contains("scripted_upsert")
                        && bulk.body().contains("\"asks\""),
                true);
    }

    @Test
    void documents_that_are_moved_after_their_rename_has_ended_stay_where_they_are() throws IOException {
        endedByAnother(bulk -> bulk.uri().startsWith("/_bulk"), false);
    }

    @Tag("full")
    @Test
    void a_commit_that_arrives_after_the_take_over_decides_nothing() throws IOException {
        endedByAnother(
                bulk -> bulk.uri().contains("tree-rename-control/_bulk")
                        && bulk.body().contains("\"moving\""),
                false);
    }

    /** A worker dies with its first such request under way; others end its rename; then the request arrives. */
    private static void endedByAnother(Predicate<Sent> late, boolean isOfLocks) throws IOException {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        AtomicBoolean once = new AtomicBoolean();
        try (LateProxy proxy = LateProxy.start(sent -> late.test(sent) && once.compareAndSet(false, true))) {
            try (Workers first = Workers.start(
                    1, group.option(), "--lease=2s", "--page-size=100", "--elasticsearch-url=" + proxy.url())) {
                scene.send(topics);
                Awaitility.await("a request is kept back").atMost(Log.PATIENCE).until(() -> proxy.kept() == 1);
                first.processes().getFirst().kill();
            }
            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=100")) {
                JsonNode outcome = scene.awaitOutcome(topics);
                assertThat(outcome.path("status").asText())
                        .as("with %s at work", second.ids())
                        .isEqualTo("completed");
                scene.awaitClosed();
                scene.tree().assertNothingLeft();

                String answer = proxy.release();

                assertThat(answer).as("the late request was executed").contains("\"items\"");
                if (isOfLocks) {
                    assertThat(answer).as("and wrote a lock table").contains("\"result\":\"updated\"");
                }
                scene.tree().assertNothingLeft();
                scene.assertCompleted(topics);
                scene.assertGood(1);
                scene.assertRenamed(false);
            }
        }
    }
}
