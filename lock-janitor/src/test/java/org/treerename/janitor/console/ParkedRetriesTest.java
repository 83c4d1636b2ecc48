package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.console.Operator.Answer;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.process.FencedException;

final class ParkedRetriesTest {

    private final Stage stage = new Stage();
    private final List<String> begun = new ArrayList<>();
    private Optional<Future<Result>> result = Optional.empty();
    private final ParkedRetries retries = new ParkedRetries(
            stage.journal,
            requestId -> {
                begun.add(requestId);
                return result;
            },
            Duration.ofMillis(1));

    private static JournalEntry parked() {
        return TestEntry.like(Stage.closed("r1", 1, "worker-1", "completed"))
                .ending(null)
                .in(State.PARKED)
                .parking(new Parking("the index is read-only", List.of()))
                .build();
    }

    /**
     * Stores a parked rename, and retries it. The retry replaces the entry with {@code after} and returns the result
     * {@code reached}.
     */
    private Answer retried(JournalEntry after, Result reached) {
        stage.journal.create(JournalStep.PARK, parked());
        var found = stage.journal.read("r1").orElseThrow();
        ParkedRetries changing = new ParkedRetries(
                stage.journal,
                requestId -> {
                    stage.journal.write(JournalStep.CLOSE, after, found.version());
                    return Optional.of(CompletableFuture.completedFuture(reached));
                },
                Duration.ofSeconds(1));
        return changing.retry("r1");
    }

    @Test
    void reports_the_outcome_of_a_rename_that_the_retry_closes() {
        assertThat(retried(Stage.closed("r1", 1, "janitor-1", "completed"), Result.CLOSED))
                .isEqualTo(new Answer(true, "r1 is closed: completed"));
    }

    @Test
    void reports_the_reason_if_the_rename_is_parked_again() {
        assertThat(retried(parked(), Result.PARKED))
                .isEqualTo(new Answer(false, "r1 is parked: the index is read-only. Correct the cause, and try again"));
    }

    @Test
    void reports_that_another_process_was_faster() {
        assertThat(retried(Stage.closed("r1", 1, "janitor-2", "completed"), Result.LOST))
                .isEqualTo(
                        new Answer(false, "r1 is closed: completed; another process changed the journal entry first"));
    }

    @Test
    void begins_no_retry_of_a_request_that_is_unknown_or_not_parked() {
        stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r2", State.PREPARED, 1));

        assertThat(retries.retry("r1")).isEqualTo(new Answer(false, "the journal has no entry for r1"));
        assertThat(retries.retry("r2")).isEqualTo(new Answer(false, "r2 is prepared, so there is nothing to retry"));
        assertThat(begun).isEmpty();
    }

    @Test
    void reports_that_the_janitor_cannot_begin_now() {
        stage.journal.create(JournalStep.PARK, parked());

        Answer answer = retries.retry("r1");

        assertThat(answer.done()).isFalse();
        assertThat(answer.words()).startsWith("r1 cannot be retried now");
        assertThat(begun).containsExactly("r1");
    }

    @Test
    void reports_a_retry_that_takes_longer_than_the_patience_and_one_that_fails() {
        stage.journal.create(JournalStep.PARK, parked());
        result = Optional.of(new CompletableFuture<>());
        assertThat(retries.retry("r1").words()).startsWith("the retry of r1 is still running");

        result = Optional.of(CompletableFuture.failedFuture(new FencedException("the take-over of r1")));
        assertThat(retries.retry("r1").done()).isFalse();
        assertThat(retries.retry("r1").words()).startsWith("the retry of r1 failed");
    }
}
