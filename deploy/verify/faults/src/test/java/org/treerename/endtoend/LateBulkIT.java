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
 * Delays a request of a dead worker until another process has ended the rename of this worker. The late request has no
 * lasting effect. By default the late request acquires locks or moves documents. Only {@code -Pfull} tests a late
 * commit. The comparison of owners that refuses a late commit also refuses every other late write of a journal entry.
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
    void locks_that_are_acquired_after_the_end_of_their_rename_are_deleted() throws IOException {
        sendLate(
                bulk -> bulk.uri().contains("tree-rename-control/_bulk")
                        && bulk.body().contains("scripted_upsert")
                        && bulk.body().contains("\"asks\""),
                true);
    }

    @Test
    void a_move_that_arrives_after_the_end_of_its_rename_changes_no_document() throws IOException {
        sendLate(bulk -> bulk.uri().startsWith("/_bulk"), false);
    }

    @Tag("full")
    @Test
    void a_commit_that_arrives_after_the_take_over_decides_nothing() throws IOException {
        sendLate(
                bulk -> bulk.uri().contains("tree-rename-control/_bulk")
                        && bulk.body().contains("\"moving\""),
                false);
    }

    /**
     * Kills a worker while one of its requests is in flight: the first request for which {@code late} is true. Other
     * processes end the worker's rename. Then the request arrives.
     */
    private static void sendLate(Predicate<Sent> late, boolean acquiresLocks) throws IOException {
        Scene scene = Scene.create(false);
        Group group = Group.atTheEndOfTheLog();
        AtomicBoolean once = new AtomicBoolean();
        try (LateProxy proxy = LateProxy.start(sent -> late.test(sent) && once.compareAndSet(false, true))) {
            try (Workers first = Workers.start(
                    1, group.option(), "--lease=2s", "--page-size=100", "--elasticsearch-url=" + proxy.url())) {
                scene.send(topics);
                Awaitility.await("the proxy keeps a request")
                        .atMost(Log.PATIENCE)
                        .until(() -> proxy.kept() == 1);
                first.processes().getFirst().kill();
            }
            try (Workers second = Workers.start(1, group.option(), "--lease=2s", "--page-size=100")) {
                JsonNode outcome = scene.awaitOutcome(topics);
                assertThat(outcome.path("status").asText())
                        .as("status with the second worker %s", second.ids())
                        .isEqualTo("completed");
                scene.awaitClosed();
                scene.tree().assertNothingLeft();

                String answer = proxy.release();

                assertThat(answer)
                        .as("answer to the late request, which was executed")
                        .contains("\"items\"");
                if (acquiresLocks) {
                    assertThat(answer)
                            .as("answer to the late request, which wrote a lock table")
                            .contains("\"result\":\"updated\"");
                }
                scene.tree().assertNothingLeft();
                scene.assertCompleted(topics);
                scene.assertGood(1);
                scene.assertRenamed(false);
            }
        }
    }
}
