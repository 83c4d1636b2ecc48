package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

class ProgressJournalTest {

    private final World world = new World();
    private final List<RenameProgress> told = new ArrayList<>();
    private final ProgressJournal journal = new ProgressJournal(world.journal, told::add, world.time);

    private JournalEntry entry = JournalEntry.prepared(
            Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));

    private Version seen = new Version(0, 0);

    @BeforeEach
    void committed() {
        seen = ((WriteResult.Written) journal.create(entry)).version();
        write(entry.committed(new Decision(world.time.now(), "worker-1", Map.of(), List.of()), 100));
    }

    private void write(JournalEntry next) {
        WriteResult result = journal.write(next, seen);
        entry = next;
        seen = ((WriteResult.Written) result).version();
    }

    private void progressAfter(long millis, long moved, int passes) {
        world.time.advance(Duration.ofMillis(millis));
        write(entry.progressed(moved, passes));
    }

    private static RenameProgress progress(long moved, int passes) {
        return new RenameProgress("r1", moved, 100, passes, "worker-1", false);
    }

    @Test
    void it_is_told_at_most_once_a_second() {
        progressAfter(400, 10, 1);
        progressAfter(600, 20, 1);
        progressAfter(999, 30, 1);
        progressAfter(1, 40, 2);

        assertThat(told).containsExactly(progress(20, 1), progress(40, 2));
    }

    @Test
    void a_rename_that_moves_for_less_than_a_second_reports_none() {
        progressAfter(999, 10, 1);
        write(entry.done(new JournalEntry.Ending(world.time.now(), "{}"), 2, 1));
        world.time.advance(Duration.ofMinutes(1));
        write(entry.closed());

        assertThat(told).isEmpty();
    }

    @Test
    void a_refused_write_reports_nothing() {
        world.time.advance(Duration.ofSeconds(2));

        WriteResult result = journal.write(entry.progressed(10, 1), new Version(seen.seqNo() + 7, seen.primaryTerm()));

        assertThat(result).isInstanceOf(WriteResult.Conflict.class);
        assertThat(told).isEmpty();
    }

    @Test
    void a_rename_that_another_process_continues_is_reported_as_rolled_forward() {
        write(entry.takenOver("janitor-1"));
        progressAfter(1_000, 50, 1);

        assertThat(told).containsExactly(new RenameProgress("r1", 50, 100, 1, "janitor-1", true));
    }
}
