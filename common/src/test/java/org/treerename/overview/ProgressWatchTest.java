package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;

class ProgressWatchTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final ProgressWatch watch = new ProgressWatch(
            new Overview(
                    journal,
                    new InMemoryJournalSearch(journal),
                    new LockSearch(locks),
                    new InMemoryProcessStore(control)),
            time);

    private void moved(String requestId, long moved) {
        JournalEntry entry = Entries.moving(requestId, "files", new Progress(1_000, moved, 1));
        journal.read(requestId)
                .ifPresentOrElse(
                        found -> journal.write(JournalStep.NO_OP, entry, found.version()),
                        () -> journal.create(JournalStep.ATTEMPT, entry));
    }

    private UnderWay only() {
        List<UnderWay> seen = watch.read(null, 10);
        assertThat(seen).hasSize(1);
        return seen.getFirst();
    }

    @Test
    void one_read_shows_the_moved_documents_and_no_rate() {
        moved("r1", 200);

        UnderWay seen = only();

        assertThat(seen.rename().entry().progress()).isEqualTo(new Progress(1_000, 200, 1));
        assertThat(seen.documentsPerSecond()).isEmpty();
        assertThat(seen.left()).isEmpty();
    }

    @Test
    void a_page_continues_where_the_previous_page_ends() {
        moved("r1", 200);
        moved("r2", 300);

        ProgressWatch.Page first = watch.read(Filter.ALL, null, 1);
        ProgressWatch.Page second = watch.read(Filter.ALL, first.next(), 1);

        assertThat(first.renames())
                .extracting(seen -> seen.rename().entry().requestId())
                .containsExactly("r1");
        assertThat(second.renames())
                .extracting(seen -> seen.rename().entry().requestId())
                .containsExactly("r2");
    }

    @Test
    void two_reads_show_a_rate_and_the_remaining_time() {
        moved("r1", 200);
        only();
        time.advance(Duration.ofSeconds(2));
        moved("r1", 400);

        UnderWay seen = only();

        assertThat(seen.documentsPerSecond()).isEqualTo(OptionalDouble.of(100));
        assertThat(seen.left()).isEqualTo(Optional.of(Duration.ofSeconds(6)));
    }

    @Test
    void the_rate_is_the_recent_one() {
        moved("r1", 0);
        only();
        time.advance(Duration.ofSeconds(10));
        moved("r1", 500);
        assertThat(only().documentsPerSecond()).isEqualTo(OptionalDouble.of(50));

        time.advance(Duration.ofSeconds(10));
        moved("r1", 510);
        assertThat(only().documentsPerSecond()).isEqualTo(OptionalDouble.of(1));

        time.advance(Duration.ofSeconds(10));
        assertThat(only().documentsPerSecond()).isEmpty();
    }

    @Test
    void lists_the_open_renames_of_a_namespace_oldest_first() {
        journal.create(JournalStep.ATTEMPT, Entries.rename("r2", "files", "/b", State.PREPARED, 2));
        journal.create(JournalStep.ATTEMPT, Entries.rename("r1", "files", "/a", State.PARKED, 1));
        journal.create(JournalStep.ATTEMPT, Entries.rename("r3", "files", "/c", State.CLOSED, 3));
        journal.create(JournalStep.ATTEMPT, Entries.rename("r4", "other", "/d", State.MOVING, 4));

        assertThat(watch.read("files", 10))
                .extracting(seen -> seen.rename().entry().requestId())
                .containsExactly("r1", "r2");
        assertThat(watch.read(null, 2)).hasSize(2);
        assertThat(watch.read(null, 10)).hasSize(3);
    }
}
