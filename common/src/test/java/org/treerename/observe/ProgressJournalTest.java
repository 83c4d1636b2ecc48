package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Ending;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.rename.World;
import org.treerename.request.DecisionTime;
import org.treerename.request.RenameProgress;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

class ProgressJournalTest {

    private static final int FEW = ProgressJournal.MANY - 1;
    private static final int MANY = ProgressJournal.MANY;

    private final World world = new World();
    private final List<RenameProgress> reported = new ArrayList<>();
    private final ProgressJournal journal = new ProgressJournal(world.journal, reported::add, world.time);
    private final Instant committedAt = world.time.now();

    private JournalEntry entry = JournalEntry.prepared(
            Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));

    private Version seen = ((WriteResult.Written) journal.create(JournalStep.ATTEMPT, entry)).version();

    private JournalEntry commit(int expected) {
        return entry.committed(new Decision(committedAt, "worker-1", Map.of(), List.of()), expected);
    }

    private void write(JournalStep step, JournalEntry next) {
        WriteResult result = journal.write(step, next, seen);
        entry = next;
        seen = ((WriteResult.Written) result).version();
    }

    private void progressAfter(long millis, long moved, int passes) {
        world.time.advance(Duration.ofMillis(millis));
        write(JournalStep.PROGRESS, entry.progressed(moved, passes));
    }

    private RenameProgress progress(long moved, long expected, int passes) {
        return new RenameProgress("r1", moved, expected, passes, "worker-1", false, decided(), null);
    }

    private DecisionTime decided() {
        return new DecisionTime(entry.requestedAt(), committedAt);
    }

    @Test
    void reports_a_rename_of_many_documents_at_its_commit() {
        write(JournalStep.COMMIT, commit(MANY));

        assertThat(reported).containsExactly(progress(0, MANY, 0));
    }

    @Test
    void reports_no_commit_of_few_documents() {
        write(JournalStep.COMMIT, commit(FEW));

        assertThat(reported).isEmpty();
    }

    @Test
    void reports_no_commit_that_is_refused() {
        WriteResult result =
                journal.write(JournalStep.COMMIT, commit(MANY), new Version(seen.seqNo() + 7, seen.primaryTerm()));

        assertThat(result).isInstanceOf(WriteResult.Conflict.class);
        assertThat(reported).isEmpty();
    }

    @Test
    void reports_no_commit_that_is_not_answered() {
        Journal silent = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return world.journal;
            }

            @Override
            public WriteResult write(JournalStep step, JournalEntry next, Version version) {
                var unused = world.journal.write(step, next, version);
                throw new NoAnswerException("the answer was lost", null);
            }
        };

        assertThatThrownBy(() -> new ProgressJournal(silent, reported::add, world.time)
                        .write(JournalStep.COMMIT, commit(MANY), seen))
                .isInstanceOf(NoAnswerException.class);

        assertThat(reported).isEmpty();
    }

    @Test
    void reports_at_most_once_a_second_while_documents_move() {
        write(JournalStep.COMMIT, commit(FEW));
        progressAfter(400, 10, 1);
        progressAfter(600, 20, 1);
        progressAfter(999, 30, 1);
        progressAfter(1, 40, 2);

        assertThat(reported).containsExactly(progress(20, FEW, 1), progress(40, FEW, 2));
    }

    @Test
    void reports_no_further_progress_within_a_second_after_the_commit() {
        write(JournalStep.COMMIT, commit(MANY));
        progressAfter(999, 10, 1);
        progressAfter(1, 20, 1);

        assertThat(reported).containsExactly(progress(0, MANY, 0), progress(20, MANY, 1));
    }

    @Test
    void reports_no_rename_that_moves_for_less_than_a_second() {
        write(JournalStep.COMMIT, commit(FEW));
        progressAfter(999, 10, 1);
        write(JournalStep.END, entry.done(new Ending(world.time.now(), "{}"), 2, 1));
        world.time.advance(Duration.ofMinutes(1));
        write(JournalStep.CLOSE, entry.closed());

        assertThat(reported).isEmpty();
    }

    @Test
    void reports_no_progress_of_a_refused_write() {
        write(JournalStep.COMMIT, commit(FEW));
        world.time.advance(Duration.ofSeconds(2));

        WriteResult result = journal.write(
                JournalStep.PROGRESS, entry.progressed(10, 1), new Version(seen.seqNo() + 7, seen.primaryTerm()));

        assertThat(result).isInstanceOf(WriteResult.Conflict.class);
        assertThat(reported).isEmpty();
    }

    @Test
    void a_rename_that_another_process_continues_is_reported_as_rolled_forward() {
        write(JournalStep.COMMIT, commit(FEW));
        write(JournalStep.TAKE_OVER, entry.takenOver("janitor-1"));
        progressAfter(1_000, 50, 1);

        assertThat(reported).containsExactly(new RenameProgress("r1", 50, FEW, 1, "janitor-1", true, decided(), null));
    }

    @Test
    void reports_a_rename_of_many_documents_again_when_another_process_takes_it_over() {
        write(JournalStep.COMMIT, commit(MANY));
        ProgressJournal other = new ProgressJournal(world.journal, reported::add, world.time);

        other.write(JournalStep.TAKE_OVER, entry.takenOver("janitor-1"), seen);

        assertThat(reported)
                .containsExactly(
                        progress(0, MANY, 0), new RenameProgress("r1", 0, MANY, 0, "janitor-1", true, decided(), null));
    }

    @Test
    void reports_a_parked_rename_of_few_documents() {
        write(JournalStep.COMMIT, commit(FEW));

        write(JournalStep.PARK, entry.parked(new Parking("a document cannot be moved", List.of())));

        assertThat(reported).containsExactly(parked());
    }

    @Test
    void reports_a_parked_rename_again_when_its_request_is_delivered_again() {
        write(JournalStep.COMMIT, commit(FEW));
        write(JournalStep.PARK, entry.parked(new Parking("a document cannot be moved", List.of())));

        write(JournalStep.NO_OP, entry.withNoOp());

        assertThat(reported).containsExactly(parked(), parked());
    }

    private RenameProgress parked() {
        return new RenameProgress("r1", 0, FEW, 0, "worker-1", false, decided(), "a document cannot be moved");
    }
}
