package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.LockedPath.By;
import org.treerename.overview.LockedPath.Holder;
import org.treerename.path.TreePath;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.store.InMemoryControlIndex;

class OverviewTest {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final Overview overview =
            new Overview(journal, new InMemoryJournalSearch(journal), new LockSearch(locks), processes);

    private void start(String id) {
        processes.create(ProcessDocument.live(
                new ProcessId(id), "worker", "host", Duration.ofSeconds(30), Entries.ASKED, "uuid"));
    }

    /** Attempts to acquire a lock for the rename of this entry, with the hold id {@code hold-ID}. */
    private void attempt(JournalEntry entry, String path, LockMode mode) {
        Hold hold = new Hold("hold-" + entry.requestId(), entry.ownership().processId(), entry.age());
        LockSet alone = new LockSet("files", new TreeMap<>(Map.of(new TreePath(path), mode)));
        journal.prepare(new Attempt(JournalStep.ATTEMPT, entry, null, null, hold, alone));
    }

    @Test
    void shows_a_rename_with_the_state_of_its_process() {
        start("worker-1");
        JournalEntry owned = Entries.rename("r1", "files", "/a", State.MOVING, 1);
        JournalEntry left = Entries.rename("r2", "files", "/b", State.MOVING, 2, "gone");
        journal.create(JournalStep.ATTEMPT, owned);
        journal.create(JournalStep.ATTEMPT, left);

        assertThat(overview.renames(Filter.ALL, Order.OLDEST_FIRST, null, 10).renames())
                .containsExactly(
                        new OwnedEntry(owned, Optional.of(ProcessState.LIVE)), new OwnedEntry(left, Optional.empty()));
    }

    @Test
    void shows_a_path_with_its_holds_and_claims() {
        start("worker-1");
        attempt(Entries.rename("r1", "files", "/a", State.MOVING, 1), "/a", LockMode.EXCLUSIVE);
        attempt(Entries.rename("r2", "files", "/a", State.PREPARED, 2, "worker-2"), "/a", LockMode.SHARED);

        assertThat(overview.locks(new LockSearch.Filter.All(), null, 10).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.holders())
                        .containsExactly(
                                new Holder(
                                        By.HOLD,
                                        LockMode.EXCLUSIVE,
                                        "r1",
                                        "hold-r1",
                                        "worker-1",
                                        Optional.of(ProcessState.LIVE),
                                        Entries.ASKED.plusSeconds(1),
                                        State.MOVING,
                                        true),
                                new Holder(
                                        By.CLAIM,
                                        LockMode.SHARED,
                                        "r2",
                                        null,
                                        "worker-2",
                                        Optional.empty(),
                                        Entries.ASKED.plusSeconds(2),
                                        State.PREPARED,
                                        true)));
    }

    @Test
    void a_claim_waits_for_the_requests_that_conflict_with_it() {
        attempt(Entries.rename("r1", "files", "/a", State.MOVING, 1), "/a", LockMode.SHARED);
        attempt(Entries.rename("r2", "files", "/a", State.PREPARED, 2), "/a", LockMode.EXCLUSIVE);
        attempt(Entries.rename("r3", "files", "/a", State.PREPARED, 3), "/a", LockMode.SHARED);
        attempt(Entries.rename("r4", "files", "/a", State.PREPARED, 4), "/a", LockMode.EXCLUSIVE);

        LockedPath lock =
                overview.locks(new LockSearch.Filter.All(), null, 10).locks().getFirst();

        assertThat(lock.holders())
                .extracting(holder -> holder.requestId() + " waits for " + lock.waitsFor(holder))
                .containsExactly(
                        "r1 waits for []", "r2 waits for [r1]", "r3 waits for [r2]", "r4 waits for [r1, r2, r3]");
    }

    @Test
    void shows_at_most_the_requested_number_of_holds_and_claims_of_a_path_the_oldest_first() {
        attempt(Entries.rename("r1", "files", "/a", State.MOVING, 9), "/a", LockMode.SHARED);
        attempt(Entries.rename("r2", "files", "/a", State.MOVING, 1), "/a", LockMode.SHARED);
        attempt(Entries.rename("r3", "files", "/a", State.PREPARED, 12), "/a", LockMode.EXCLUSIVE);
        attempt(Entries.rename("r4", "files", "/a", State.PREPARED, 11), "/a", LockMode.EXCLUSIVE);

        LockedPath lock =
                overview.locks(new LockSearch.Filter.All(), null, 10, 1).locks().getFirst();

        assertThat(lock.holders()).extracting(Holder::requestId).containsExactly("r2", "r4");
        assertThat(lock.found()).isEqualTo(4);
        assertThat(lock.waitsFor(lock.holders().get(1))).containsExactlyInAnyOrder("r1", "r2");
    }

    @Test
    void a_hold_without_an_open_journal_entry_does_not_count() {
        attempt(Entries.rename("closed", "files", "/a", State.CLOSED, 1), "/a", LockMode.SHARED);
        attempt(Entries.rename("gone", "files", "/a", State.MOVING, 2), "/a", LockMode.SHARED);
        journal.delete(List.of(journal.read("gone").orElseThrow()));

        assertThat(overview.locks(new LockSearch.Filter.All(), null, 10).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.holders())
                        .extracting(holder -> holder.requestId() + " " + holder.state() + " " + holder.counts())
                        .containsExactly("closed CLOSED false", "gone null false"));
    }
}
