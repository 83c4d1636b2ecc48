package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.endtoend.LateProxy.Sent;

/** Requests of a dead worker that reach Elasticsearch only after everything was reclaimed leave nothing behind. */
final class LateBulkIT {

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

    @Test
    void locksThatAreTakenAfterTheirRenameHasEndedAreSwept() throws IOException {
        endedByAnother(
                bulk -> bulk.uri().contains("tree-rename-control/_bulk")
                        && bulk.body().contains("scripted_upsert"),
                true);
    }

    @Test
    void documentsThatAreMovedAfterTheirRenameHasEndedStayWhereTheyAre() throws IOException {
        endedByAnother(bulk -> bulk.uri().startsWith("/_bulk"), false);
    }

    @Test
    void aCommitThatArrivesAfterTheTakeOverDecidesNothing() throws IOException {
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
                    1, group.option(), "--lease=2s", "--page-size=500", "--elasticsearch-url=" + proxy.url())) {
                scene.send(topics);
                Awaitility.await("a request is kept back").atMost(Log.PATIENCE).until(() -> proxy.kept() == 1);
                first.processes().getFirst().kill();
            }
            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=500")) {
                JsonNode outcome = scene.awaitOutcome(topics);
                assertThat(outcome.path("status").asText())
                        .as("with %s at work", second.ids())
                        .isEqualTo("completed");
                scene.awaitClosed();
                Scene.assertNothingLeft();

                String answer = proxy.release();

                assertThat(answer).as("the late request was executed").contains("\"items\"");
                if (isOfLocks) {
                    assertThat(answer).contains("\"result\":\"created\"");
                }
                Scene.assertNothingLeft();
                scene.assertCompleted(topics);
                scene.assertGood(1);
                scene.assertRenamed(false);
            }
        }
    }
}
