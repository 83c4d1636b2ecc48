package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.Waiting;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;

class CurrentRefusalsTest {

    private static final LockSet A = set("/a");

    private final InMemoryLockStore locks = new InMemoryLockStore(new InMemoryControlIndex());
    private final CurrentRefusals refusals = new CurrentRefusals(new LockSearch(locks));
    private final JournalEntry older = Entries.rename("r1", "files", "/a", State.MOVING, 1);
    private final JournalEntry younger = Entries.rename("r2", "files", "/a/b", State.PREPARED, 2, "worker-2");

    private static LockSet set(String path) {
        return new LockSet("files", new TreeMap<>(Map.of(new TreePath(path), LockMode.EXCLUSIVE)));
    }

    private void attempt(JournalEntry entry, LockSet set) {
        locks.take(set, new Hold("hold-" + entry.requestId(), entry.ownership().processId(), entry.age()));
    }

    @Test
    void shows_the_request_that_refuses_a_waiting_one() {
        attempt(older, A);
        attempt(younger, set("/a/b"));

        assertThat(refusals.addTo(List.of(older, younger)))
                .containsExactly(
                        older,
                        younger.refused(
                                new Waiting(1, "r1", "/a is held exclusively by request r1 of process worker-1")));
    }

    @Test
    void adds_the_current_refusal_to_those_of_the_entry() {
        attempt(older, A);
        attempt(younger, set("/a/b"));
        JournalEntry refusedBefore = younger.refused(new Waiting(2, "r0", "refused before"));

        assertThat(refusals.addTo(List.of(refusedBefore)))
                .extracting(
                        entry -> entry.waiting().refusals(),
                        entry -> entry.waiting().refusedBy())
                .containsExactly(tuple(3, "r1"));
    }

    @Test
    void shows_no_refusal_for_a_request_that_has_its_locks_and_still_its_claim() {
        attempt(older, A);
        attempt(younger, set("/a/b"));
        locks.release(A, Release.ofRequest("r1", Set.of("hold-r1")));
        attempt(younger, set("/a/b"));
        JournalEntry another = Entries.rename("r0", "files", "/a", State.PREPARED, 0);
        attempt(another, A);

        assertThat(locks.claimsAt("files", new TreePath("/a/b"))).containsExactly("r2");
        assertThat(refusals.addTo(List.of(younger))).containsExactly(younger);
    }

    @Test
    void shows_no_hold_of_an_earlier_attempt_of_the_same_request() {
        attempt(older, A);
        attempt(younger, set("/a/b"));
        locks.release(A, Release.ofRequest("r1", Set.of("hold-r1")));
        locks.take(set("/a/b"), new Hold("hold of an earlier attempt", "worker-2", younger.age()));

        assertThat(locks.claimsAt("files", new TreePath("/a/b"))).containsExactly("r2");
        assertThat(refusals.addTo(List.of(younger))).containsExactly(younger);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shows_the_entries_as_they_are_if_the_lock_tables_cannot_be_read(RuntimeException failure) {
        attempt(older, A);
        attempt(younger, set("/a/b"));
        Calls calls = new Calls(Interference.before("locks.read", 1, () -> {
            throw failure;
        }));
        CurrentRefusals failing = new CurrentRefusals(new LockSearch(calls.around(LockStore.class, locks)));

        assertThat(failing.addTo(List.of(older, younger))).containsExactly(older, younger);
    }

    static Stream<RuntimeException> failures() {
        return Stream.of(
                new NoAnswerException("no answer", null), new IllegalArgumentException("the table is damaged"));
    }

    @Test
    void shows_no_refusal_for_a_claim_that_nothing_blocks_any_more() {
        attempt(older, A);
        attempt(younger, set("/a/b"));
        locks.release(A, Release.ofRequest("r1", Set.of("hold-r1")));

        assertThat(refusals.addTo(List.of(younger))).containsExactly(younger);
    }
}
