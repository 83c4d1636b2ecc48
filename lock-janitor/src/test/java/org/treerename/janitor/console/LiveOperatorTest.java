package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.console.Operator.Answer;
import org.treerename.janitor.recovery.Abandonment;
import org.treerename.janitor.recovery.Fence;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Parking;
import org.treerename.journal.Progress;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.process.InMemoryPauseStore;
import org.treerename.process.Pause;
import org.treerename.process.WorkerPause;
import org.treerename.rename.Cancellation;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.store.Versioned;
import org.treerename.tree.InMemoryTreeStore;

final class LiveOperatorTest {

    private static final String SINCE = "2026-03-01T10:00:00Z";

    private final Stage stage = new Stage();
    private final ManualTime time = ManualTime.startingAt(SINCE);
    private final InMemoryPauseStore pauses = new InMemoryPauseStore(stage.control);
    private final LiveOperator operator = new LiveOperator(
            new Fence(stage.processes),
            new DeadLetterReader(
                    () -> {
                        throw new IllegalStateException("this test reads no dead letter");
                    },
                    () -> {
                        throw new IllegalStateException("this test sends no record");
                    },
                    "rename.requests",
                    time),
            new Cancellation(stage.journal, time, new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(1)))),
            new ParkedRetries(stage.journal, requestId -> Optional.empty(), Duration.ZERO),
            new Abandonment(
                    stage.journal,
                    new InMemoryNamespaces(),
                    new InMemoryTreeStore(1),
                    time,
                    new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(1)))),
            new WorkerPause(pauses, time));

    @Test
    void pauses_the_workers_in_the_name_of_the_person_and_ends_the_pause() {
        assertThat(operator.pause("me"))
                .isEqualTo(new Answer(true, "the workers are paused since " + SINCE + " by me"));
        assertThat(pauses.read().map(Versioned::value).map(Pause::by)).contains("me");

        assertThat(operator.unpause(SINCE))
                .isEqualTo(new Answer(true, "the workers continue; they had been paused since " + SINCE + " by me"));
        assertThat(pauses.read()).isEmpty();
        assertThat(operator.unpause(SINCE)).isEqualTo(new Answer(true, "the workers are not paused"));
    }

    @Test
    void does_not_end_a_pause_that_the_person_has_not_seen() {
        time.advance(Duration.ofSeconds(1));
        operator.pause("another");

        assertThat(operator.unpause(SINCE).done()).isFalse();
        assertThat(operator.unpause(SINCE).words()).contains("another pause has begun");
        assertThat(pauses.read()).isPresent();
    }

    @Test
    void abandons_only_a_parked_rename() {
        JournalEntry moving = Stage.moving("r1", 0, "worker-1", new Progress(3, 1, 1));
        stage.journal.create(JournalStep.PARK, moving.parked(new Parking("no room", List.of())));
        stage.journal.create(JournalStep.COMMIT, Stage.moving("r2", 1, "worker-1", new Progress(3, 1, 1)));

        assertThat(operator.abandon("r1", "me"))
                .isEqualTo(new Answer(true, "r1 is abandoned; a janitor releases its locks and publishes its outcome"));
        assertThat(operator.abandon("r2", "me"))
                .isEqualTo(new Answer(false, "r2 is moving; only a parked rename can be abandoned"));
        assertThat(operator.abandon("r3", "me")).isEqualTo(new Answer(false, "the journal has no entry for r3"));
    }

    @Test
    void refuses_a_start_of_a_pause_that_is_no_time() {
        operator.pause("me");

        assertThat(operator.unpause("now"))
                .isEqualTo(new Answer(
                        false, "expected the start of the pause, as in 2026-03-01T10:00:00Z, found \"now\""));
        assertThat(pauses.read()).isPresent();
    }
}
