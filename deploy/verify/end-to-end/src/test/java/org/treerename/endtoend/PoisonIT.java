package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.DeadLetter;

/**
 * Tests a request that fails at every attempt. The request ends, the worker stays alive, and the worker processes the
 * later requests.
 */
final class PoisonIT {

    private static Log log;

    private final Group group = Group.atTheEndOfTheLog();
    private final Tree tree =
            Tree.create().directories("/a", "/x").files("/a/f", "/x/f").index();

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
    }

    @AfterAll
    static void stop() {
        log.close();
    }

    @AfterEach
    void nothingIsLeft() {
        tree.assertNothingLeft();
    }

    private static RecordMetadata send(ObjectNode request) {
        return log.send(3, null, request.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String status(ObjectNode request) {
        return log.outcome(Requests.id(request)).path("status").asText();
    }

    private static void assertWorkerIsLive(Workers workers) {
        assertThat(workers.processes().getFirst().isAlive()).isTrue();
        assertThat(workers.ids())
                .allSatisfy(id -> assertThat(Services.state(id)).isEqualTo("live"));
    }

    @Test
    void a_request_that_fails_before_its_commit_gets_an_outcome_and_a_dead_letter_and_the_next_one_completes() {
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode poison = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode behind = Requests.rename(tree.name(), "/a", "/c");
        try (Workers workers = Workers.instrumented(1, group.option(), "--fail-at=BEFORE_COMMIT:3", "--max-tries=3")) {
            RecordMetadata place = send(poison);
            RecordMetadata next = send(behind);

            JsonNode outcome = log.outcome(Requests.id(poison));
            var letter = log.deadLetter(place);

            assertThat(outcome.path("status").asText()).isEqualTo("failed");
            assertThat(outcome.path("reason").asText()).isEqualTo("kept_failing");
            assertThat(outcome.path("message").asText()).contains("tried 3 times", "made this process fail");
            assertThat(new String(letter.value(), StandardCharsets.UTF_8)).isEqualTo(poison.toString());
            assertThat(Log.header(letter, DeadLetter.REASON)).isEqualTo("kept_failing");
            assertThat(Log.header(letter, DeadLetter.MESSAGE)).contains("made this process fail");
            assertThat(status(behind)).isEqualTo("completed");
            Awaitility.await("the offsets of both requests are committed")
                    .atMost(Log.PATIENCE)
                    .until(() -> group.isPast(next));
            assertWorkerIsLive(workers);
        }
        assertThat(tree.paths().values()).containsExactly("/c", "/x", "/c/f", "/x/f");
        changeCheck.assertGood(0);
    }

    @Test
    void a_request_that_fails_after_its_commit_is_parked_and_completed_by_a_janitor() {
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        ObjectNode poison = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode behind = Requests.rename(tree.name(), "/x", "/y");
        try (Workers workers = Workers.instrumented(1, group.option(), "--fail-at=BEFORE_MOVE:3", "--max-tries=3")) {
            send(poison);
            Awaitility.await("the rename is parked")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(Requests.id(poison))
                            .filter(entry -> entry.path("state").asText().equals("parked"))
                            .isPresent());
            RecordMetadata next = send(behind);

            assertThat(status(behind)).isEqualTo("completed");
            Awaitility.await("the offsets of both requests are committed")
                    .atMost(Log.PATIENCE)
                    .until(() -> group.isPast(next));
            assertThat(log.outcomes(Requests.id(poison))).isEmpty();
            assertWorkerIsLive(workers);
        }
        try (Janitors janitors = Janitors.start(1, "--parked-every=1s")) {
            assertThat(status(poison)).isEqualTo("completed");
        }
        assertThat(tree.paths().values()).containsExactly("/b", "/y", "/b/f", "/y/f");
        changeCheck.assertGood(0);
    }

    @Test
    void the_next_worker_writes_the_dead_letter_if_its_predecessor_died_after_the_outcome() {
        ObjectNode poison = Requests.rename(tree.name(), "/a", "/b");
        tree.refuseSearches();
        RecordMetadata place;
        try (Workers workers = Workers.instrumented(1, group.option(), "--lease=2s", "--crash-at=AFTER_OUTCOME")) {
            place = send(poison);
            Awaitility.await("the worker dies")
                    .atMost(Log.PATIENCE)
                    .until(() -> !workers.processes().getFirst().isAlive());
        }
        assertThat(log.deadLetters(place)).isEmpty();
        try (Workers workers = Workers.start(1, group.option());
                Janitors janitors = Janitors.start(1)) {
            assertThat(Log.header(log.deadLetter(place), DeadLetter.REASON)).isEqualTo("tree_refused");
            assertThat(status(poison)).isEqualTo("failed");
            assertWorkerIsLive(workers);
            Awaitility.await("a janitor closes the entry of the dead worker")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(Requests.id(poison))
                            .filter(entry -> entry.path("state").asText().equals("closed"))
                            .isPresent());
        }
    }
}
