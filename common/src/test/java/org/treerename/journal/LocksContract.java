package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.lock.LockTable.Releases;
import org.treerename.lock.Release;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The tests that every pair of a journal and a lock store must pass: how they grant, refuse, claim and release lock
 * sets.
 */
public abstract class LocksContract {

    private static final TreePath A = new TreePath("/a");
    private static final TreePath A_X = new TreePath("/a/x");

    /** A path whose locks are in another table than the locks of {@link #A} and {@link #A_X}. */
    private static final TreePath B = new TreePath("/b");

    /**
     * A namespace that only this test uses. All request ids begin with this namespace, so the request ids are sorted by
     * their suffixes.
     */
    protected final String namespace = "locks-" + UUID.randomUUID();

    protected abstract Journal journal();

    protected abstract LockStore locks();

    /** Returns the number of threads that may use the stores at the same time. */
    protected int threads() {
        return 64;
    }

    private Hold hold(String holdId, String request, long ageMillis) {
        return new Hold(holdId, "process of " + request, new LockPriority(ageMillis, namespace + request));
    }

    private LockSet only(TreePath path, LockMode mode) {
        return new LockSet(namespace, new TreeMap<>(Map.of(path, mode)));
    }

    private LockSet exclusive(TreePath path) {
        return only(path, LockMode.EXCLUSIVE);
    }

    private LockSet shared(TreePath path) {
        return only(path, LockMode.SHARED);
    }

    private JournalEntry entry(Hold hold) {
        Delivery delivery = Deliveries.of(
                Deliveries.rename(hold.requestId(), namespace, "/a", "/b"),
                0,
                Instant.ofEpochMilli(hold.age().appendedAtMillis()));
        return JournalEntry.prepared(delivery, new Ownership(hold.processId(), 1, hold.holdId()));
    }

    private Prepared prepare(Hold hold, LockSet locks) {
        return prepare(hold, locks, null);
    }

    /**
     * Prepares the rename of this hold. If the rename already has an entry, replaces the current version of this entry.
     */
    private Prepared prepare(Hold hold, LockSet locks, @Nullable String previousHoldId) {
        Version seen = journal().read(hold.requestId()).map(Versioned::version).orElse(null);
        return journal().prepare(new Attempt(JournalStep.ATTEMPT, entry(hold), seen, previousHoldId, hold, locks));
    }

    private LockTable.Id id(TreePath path) {
        return LockTable.Id.of(namespace, path);
    }

    /** Returns the holds and the claims of the table to which this path belongs. */
    private LockTable stored(TreePath path) {
        LockTable table = locks().read(List.of(id(path))).getFirst();
        return new LockTable(table.id(), table.holds(), table.claims());
    }

    private Releases releases(TreePath path) {
        return locks().read(List.of(id(path))).getFirst().releases();
    }

    private LockTable table(TreePath path, Map<Hold, LockSet> holds, Map<Hold, LockSet> claims) {
        SortedMap<String, Held> held = new TreeMap<>();
        holds.forEach((hold, locks) -> held.put(hold.holdId(), new Held(hold, part(locks, path))));
        SortedMap<String, Claim> claimed = new TreeMap<>();
        claims.forEach((hold, locks) -> claimed.put(hold.requestId(), new Claim(hold.age(), part(locks, path))));
        return new LockTable(id(path), held, claimed);
    }

    private SortedMap<TreePath, LockMode> part(LockSet locks, TreePath path) {
        return locks.parts().getOrDefault(id(path), new TreeMap<>());
    }

    private LockTable empty(TreePath path) {
        return LockTable.empty(id(path));
    }

    @Test
    void grants_a_free_lock_set_as_a_whole() {
        Hold hold = hold("h1", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A_X, B);

        Prepared prepared = prepare(hold, locks);

        assertThat(prepared.entry()).isInstanceOf(WriteResult.Written.class);
        assertThat(prepared).returns(true, Prepared::taken).returns(Set.of(), Prepared::refused);
        assertThat(stored(A)).isEqualTo(table(A, Map.of(hold, locks), Map.of()));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(hold, locks), Map.of()));
        assertThat(journal().read(hold.requestId()).map(Versioned::value)).contains(entry(hold));
    }

    @Test
    void grants_shared_holds_side_by_side() {
        Hold one = hold("h1", "r1", 10);
        Hold other = hold("h2", "r2", 20);

        prepare(one, shared(A));
        Prepared second = prepare(other, shared(A));

        assertThat(second.taken()).isTrue();
        assertThat(stored(A)).isEqualTo(table(A, Map.of(one, shared(A), other, shared(A)), Map.of()));
    }

    @Test
    void an_exclusive_hold_refuses_every_other_request_and_they_leave_their_claims() {
        Hold holder = hold("h1", "r1", 10);
        Hold reader = hold("h2", "r2", 20);
        Hold writer = hold("h3", "r3", 30);

        prepare(holder, exclusive(A));
        Prepared sharedOne = prepare(reader, shared(A));
        Prepared exclusiveOne = prepare(writer, exclusive(A));

        assertThat(sharedOne).returns(false, Prepared::taken).returns(Set.of(id(A)), Prepared::refused);
        assertThat(exclusiveOne).returns(false, Prepared::taken).returns(Set.of(id(A)), Prepared::refused);
        assertThat(stored(A))
                .isEqualTo(table(A, Map.of(holder, exclusive(A)), Map.of(reader, shared(A), writer, exclusive(A))));
    }

    @ParameterizedTest
    @CsvSource({
        "/a,     EXCLUSIVE, /a/x,   EXCLUSIVE, false",
        "/a/x,   EXCLUSIVE, /a,     EXCLUSIVE, false",
        "/a,     EXCLUSIVE, /a/x/y, SHARED,    false",
        "/a/x,   EXCLUSIVE, /a,     SHARED,    true",
        "/a,     SHARED,    /a/x,   EXCLUSIVE, true",
        "/a/x,   SHARED,    /a,     EXCLUSIVE, false",
        "/a/x,   EXCLUSIVE, /a/xy,  EXCLUSIVE, true",
        "/a/x,   EXCLUSIVE, /a/y,   EXCLUSIVE, true",
        "/a/x/y, SHARED,    /a/x,   SHARED,    true",
    })
    void grants_a_lock_by_the_relation_of_its_path_to_the_held_path(
            String held, LockMode heldMode, String wanted, LockMode mode, boolean granted) {
        prepare(hold("h1", "r1", 10), only(new TreePath(held), heldMode));

        Prepared prepared = prepare(hold("h2", "r2", 20), only(new TreePath(wanted), mode));

        assertThat(prepared.taken()).isEqualTo(granted);
    }

    @ParameterizedTest
    @CsvSource({
        "/a,   EXCLUSIVE, /a/x, EXCLUSIVE, false",
        "/a/x, EXCLUSIVE, /a,   EXCLUSIVE, false",
        "/a,   EXCLUSIVE, /a/x, SHARED,    false",
        "/a/x, EXCLUSIVE, /a,   SHARED,    true",
        "/a/x, EXCLUSIVE, /a/y, EXCLUSIVE, true",
    })
    void an_older_claim_refuses_a_younger_request_by_the_same_relation(
            String claimed, LockMode claimedMode, String wanted, LockMode mode, boolean granted) {
        prepare(hold("h1", "r1", 10), exclusive(new TreePath("/a")));
        prepare(hold("h2", "r2", 20), only(new TreePath(claimed), claimedMode));
        locks().release(exclusive(A), Release.ofHold("h1"));

        Prepared prepared = prepare(hold("h3", "r3", 30), only(new TreePath(wanted), mode));

        assertThat(prepared.taken()).isEqualTo(granted);
    }

    @Test
    void paths_are_compared_in_the_notation_of_the_namespace() {
        Notation dots = new Notation(".", false, true);
        TreePath quoted = dots.path("a.\"b.c\"");
        prepare(hold("h1", "r1", 10), exclusive(quoted));

        assertThat(prepare(hold("h2", "r2", 20), exclusive(dots.path("a.b"))).taken())
                .as("another name")
                .isTrue();
        assertThat(prepare(hold("h3", "r3", 30), exclusive(dots.path("a.\"b.c\".d")))
                        .taken())
                .as("a path below the held path")
                .isFalse();
        assertThat(locks().read(List.of(LockTable.Id.of(namespace, quoted)))
                        .getFirst()
                        .holds()
                        .get("h1"))
                .isEqualTo(new Held(hold("h1", "r1", 10), exclusive(quoted).modes()));
    }

    @Test
    void an_older_claim_refuses_only_younger_requests() {
        Hold holder = hold("h1", "r1", 10);
        Hold claimant = hold("h2", "r2", 20);
        prepare(holder, shared(A));
        prepare(claimant, exclusive(A));

        Prepared younger = prepare(hold("h3", "r3", 30), shared(A));
        Prepared older = prepare(hold("h4", "r4", 15), shared(A));

        assertThat(younger.taken()).isFalse();
        assertThat(older.taken()).isTrue();
    }

    @Test
    void another_record_of_a_request_makes_its_claim_older_but_never_younger() {
        Hold holder = hold("h1", "r1", 10);
        Hold first = hold("h2", "r2", 30);
        Hold later = hold("h3", "r2", 40);
        Hold earlier = hold("h4", "r2", 20);
        prepare(holder, exclusive(A));

        prepare(first, exclusive(A));
        prepare(later, exclusive(A));
        LockTable afterLater = stored(A);
        prepare(earlier, exclusive(A));

        assertThat(afterLater).isEqualTo(table(A, Map.of(holder, exclusive(A)), Map.of(first, exclusive(A))));
        assertThat(stored(A)).isEqualTo(table(A, Map.of(holder, exclusive(A)), Map.of(earlier, exclusive(A))));
    }

    @Test
    void shared_claims_do_not_refuse_shared_holds() {
        prepare(hold("h1", "r1", 10), exclusive(A));
        prepare(hold("h2", "r2", 20), shared(A));
        locks().release(exclusive(A), Release.ofHold("h1"));

        assertThat(prepare(hold("h3", "r3", 30), shared(A)).taken()).isTrue();
    }

    @Test
    void of_two_requests_of_the_same_time_the_one_with_the_smaller_id_is_older() {
        prepare(hold("h1", "r1", 10), shared(A));
        prepare(hold("h5", "r5", 20), exclusive(A));

        Prepared after = prepare(hold("h6", "r6", 20), shared(A));
        Prepared before = prepare(hold("h4", "r4", 20), shared(A));

        assertThat(List.of(after.taken(), before.taken())).containsExactly(false, true);
    }

    @Test
    void the_claim_of_the_request_itself_does_not_refuse_it_and_stays() {
        Hold first = hold("h2", "r2", 20);
        Hold second = hold("h2b", "r2", 20);
        prepare(hold("h1", "r1", 10), exclusive(A));
        prepare(first, exclusive(A));
        locks().release(exclusive(A), Release.ofHold("h1"));

        Prepared taken = prepare(second, exclusive(A), "h2");

        assertThat(taken.taken()).isTrue();
        assertThat(stored(A)).isEqualTo(table(A, Map.of(second, exclusive(A)), Map.of(first, exclusive(A))));
    }

    @Test
    void a_repeated_attempt_with_the_same_hold_succeeds_and_changes_nothing() {
        Hold hold = hold("h1", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A_X, B);
        Attempt attempt = new Attempt(JournalStep.ATTEMPT, entry(hold), null, null, hold, locks);
        journal().prepare(attempt);

        Prepared again = journal().prepare(attempt);

        assertThat(again).isEqualTo(new Prepared(new WriteResult.Conflict(), Set.of(), true, false, false));
        assertThat(stored(A)).isEqualTo(table(A, Map.of(hold, locks), Map.of()));
    }

    @Test
    void an_attempt_reports_whether_it_has_changed_a_table() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A, B);

        assertThat(prepare(holder, exclusive(A)).changed()).as("granted").isTrue();
        assertThat(prepare(holder, exclusive(A)).changed()).as("held already").isFalse();
        assertThat(prepare(holder, both).changed())
                .as("one of two locks held already")
                .isTrue();
        assertThat(prepare(refused, exclusive(A)).changed()).as("claimed").isTrue();
        assertThat(prepare(refused, exclusive(A)).changed())
                .as("claimed already")
                .isFalse();
    }

    @Test
    void another_hold_of_the_same_request_refuses_it() {
        prepare(hold("h1", "r1", 10), exclusive(A));

        Prepared refused = prepare(hold("h2", "r1", 10), exclusive(A));

        assertThat(refused).returns(false, Prepared::taken).returns(Set.of(id(A)), Prepared::refused);
    }

    @Test
    void removes_the_hold_of_the_previous_attempt_before_it_acquires_locks() {
        Hold previous = hold("h1", "r1", 10);
        Hold next = hold("h2", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A_X, B);
        prepare(previous, locks);

        Prepared prepared = prepare(next, locks, "h1");

        assertThat(prepared.taken()).isTrue();
        assertThat(stored(A)).isEqualTo(table(A, Map.of(next, locks), Map.of()));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(next, locks), Map.of()));
    }

    @Test
    void acquires_the_locks_although_the_entry_is_refused() {
        Hold first = hold("h1", "r1", 10);
        Hold second = hold("h2", "r1", 10);
        prepare(first, exclusive(A));

        Prepared prepared =
                journal().prepare(new Attempt(JournalStep.ATTEMPT, entry(second), null, null, second, exclusive(B)));

        assertThat(prepared).isEqualTo(new Prepared(new WriteResult.Conflict(), Set.of(), true, false, true));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(second, exclusive(B)), Map.of()));
        assertThat(journal().read(first.requestId()).map(Versioned::value)).contains(entry(first));
    }

    @Test
    void a_set_that_one_table_refuses_keeps_its_hold_in_the_other_table() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A, B);
        prepare(holder, exclusive(B));

        Prepared prepared = prepare(refused, both);

        assertThat(prepared).returns(false, Prepared::taken).returns(Set.of(id(B)), Prepared::refused);
        assertThat(stored(A)).isEqualTo(table(A, Map.of(refused, both), Map.of()));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(holder, exclusive(B)), Map.of(refused, both)));
    }

    @Test
    void a_table_grants_its_part_as_a_whole_or_not_at_all() {
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A_X, new TreePath("/a/y"));
        prepare(hold("h1", "r1", 10), exclusive(A_X));

        Prepared prepared = prepare(refused, both);

        assertThat(prepared.taken()).isFalse();
        assertThat(stored(A)).isEqualTo(table(A, Map.of(hold("h1", "r1", 10), exclusive(A_X)), Map.of(refused, both)));
    }

    @Test
    void a_release_of_a_hold_keeps_the_claim_and_may_be_repeated() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A, B);
        prepare(holder, exclusive(B));
        prepare(refused, both);

        locks().release(both, Release.ofHold("h2"));
        locks().release(both, Release.ofHold("h2"));

        assertThat(stored(A)).isEqualTo(empty(A));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(holder, exclusive(B)), Map.of(refused, both)));
    }

    @Test
    void a_table_counts_the_holds_that_have_left_it_and_keeps_the_count_when_it_is_empty() {
        Hold one = hold("h1", "r1", 10);
        Hold other = hold("h2", "r2", 20);
        Hold next = hold("h3", "r2", 20);
        prepare(one, exclusive(A));
        prepare(other, exclusive(A));
        locks().release(exclusive(A), Release.ofRequest(other.requestId(), Set.of("h2", "h4")));
        Releases before = releases(A);

        locks().release(exclusive(A), Release.ofHold("h1"));
        locks().release(exclusive(A), Release.ofHold("h1"));
        Releases empty = releases(A);
        prepare(other, exclusive(A));
        prepare(next, exclusive(A), "h2");
        locks().release(exclusive(A), Release.ofRequest(next.requestId(), Set.of("h3")));

        assertThat(before).isEqualTo(Releases.NONE);
        assertThat(empty).isEqualTo(new Releases(1, List.of(one.requestId())));
        assertThat(releases(A))
                .isEqualTo(new Releases(3, List.of(one.requestId(), other.requestId(), other.requestId())));
    }

    @Test
    void a_table_names_only_the_requests_of_the_last_releases() {
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < Releases.MOST + 2; i++) {
            Hold hold = hold("h" + i, "r" + i, i);
            prepare(hold, exclusive(A));
            locks().release(exclusive(A), Release.ofHold(hold.holdId()));
            requests.add(hold.requestId());
        }

        assertThat(releases(A)).isEqualTo(new Releases(Releases.MOST + 2, requests.subList(2, Releases.MOST + 2)));
    }

    @Test
    void counts_several_holds_released_at_once_in_the_order_of_their_ids() {
        Hold one = hold("h1", "r9", 10);
        Hold other = hold("h2", "r1", 20);
        prepare(other, shared(A));
        prepare(one, shared(A));

        locks().release(exclusive(A), new Release(Set.of("h2", "h1"), Optional.empty()));

        assertThat(releases(A)).isEqualTo(new Releases(2, List.of(one.requestId(), other.requestId())));
    }

    @Test
    void the_table_of_a_document_counts_no_releases_and_is_deleted_with_its_last_hold() {
        Hold holder = hold("h1", "r1", 10);
        LockSet document = LockSet.documents(namespace, List.of(A));
        prepare(holder, document);

        locks().release(document, Release.ofHold("h1"));

        assertThat(locks().read(document.parts().keySet()))
                .containsExactly(LockTable.empty(document.parts().firstKey()));
    }

    @Test
    void all_tables_do_not_include_a_table_without_holds_and_claims() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        prepare(holder, exclusive(A));
        prepare(refused, exclusive(A));

        locks().release(exclusive(A), Release.ofRequest(holder.requestId(), Set.of("h1")));
        LockTable claimed = stored(A);
        locks().release(exclusive(A), Release.ofRequest(refused.requestId(), Set.of()));

        assertThat(claimed).isEqualTo(table(A, Map.of(), Map.of(refused, exclusive(A))));
        assertThat(stored(A)).isEqualTo(empty(A));
        assertThat(all()).isEmpty();
    }

    @Test
    void a_release_of_other_ids_removes_nothing() {
        Hold holder = hold("h1", "r1", 10);
        prepare(holder, exclusive(A));

        locks().release(exclusive(A), Release.ofRequest(namespace + "r2", Set.of("h2")));

        assertThat(stored(A)).isEqualTo(table(A, Map.of(holder, exclusive(A)), Map.of()));
    }

    @Test
    void the_same_path_in_another_namespace_is_another_lock() {
        LockSet elsewhere = new LockSet(namespace + "-other", exclusive(A).modes());

        prepare(hold("h1", "r1", 10), exclusive(A));
        Prepared other = prepare(hold("h2", "r2", 20), elsewhere);

        assertThat(other.taken()).isTrue();
        locks().release(elsewhere, Release.ofHold("h2"));
    }

    @Test
    void the_deepest_path_is_locked_against_its_highest_directory() {
        TreePath deepest = new TreePath("/d".repeat(TreePath.MAX_SEGMENTS));
        LockSet locks = LockSet.tree(namespace, deepest, B);

        Prepared prepared = prepare(hold("h1", "r1", 10), locks);
        Prepared above = prepare(hold("h2", "r2", 20), exclusive(new TreePath("/d")));
        locks().release(locks, Release.ofHold("h1"));

        assertThat(prepared.taken()).isTrue();
        assertThat(above.taken()).isFalse();
        assertThat(stored(deepest).holds()).isEmpty();
    }

    /** Returns only the tables of this test's namespace, because other tests may use the same store. */
    private List<LockTable> all() {
        return locks().all().stream()
                .filter(table -> table.id().namespace().equals(namespace))
                .toList();
    }

    @Test
    void finds_all_tables_with_holds_and_claims_as_soon_as_they_are_written() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A, B);
        prepare(holder, exclusive(A));
        prepare(refused, both);

        assertThat(all())
                .containsExactlyInAnyOrder(
                        table(A, Map.of(holder, exclusive(A)), Map.of(refused, both)),
                        table(B, Map.of(refused, both), Map.of()));
    }

    @Test
    void each_document_is_locked_in_its_own_table() {
        Hold own = hold("h-" + namespace, "r1", 10);
        LockSet documents = LockSet.documents(namespace, List.of(A, A_X));

        Prepared granted = prepare(own, documents);
        Prepared refused = prepare(hold("h2", "r2", 20), LockSet.documents(namespace, List.of(A_X, B)));

        assertThat(granted.taken()).isTrue();
        assertThat(refused.refused())
                .isEqualTo(LockSet.documents(namespace, List.of(A_X)).parts().keySet());
        assertThat(all()).hasSize(3);
        assertThat(stored(A)).as("the table of the bucket").isEqualTo(empty(A));
    }

    @Test
    void finds_each_of_more_tables_than_one_page_once() {
        LockSet set = documents(1_100);
        prepare(hold("h1", "r1", 10), set);

        List<LockTable> found = all();
        locks().release(set, Release.ofHold("h1"));

        assertThat(found)
                .extracting(LockTable::id)
                .containsExactlyInAnyOrderElementsOf(set.parts().keySet());
    }

    private LockSet documents(int documents) {
        List<TreePath> paths = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            paths.add(new TreePath("/a/" + i));
        }
        return LockSet.documents(namespace, paths);
    }

    /**
     * The lock set has more documents than one page. One of its documents is also in the lock set of another request.
     */
    @Test
    void a_release_of_an_open_set_finds_the_hold_in_every_table_of_a_document() {
        Hold own = hold("h-" + namespace, "r1", 10);
        Hold other = hold("h2", "r2", 20);
        LockSet listed = exclusive(B);
        prepare(own, listed);
        prepare(own, documents(1_100));
        prepare(other, LockSet.documents(namespace, List.of(new TreePath("/a/7"), A)));
        int before = all().size();

        locks().release(listed.opened(), Release.ofHold(own.holdId()));

        assertThat(before).isEqualTo(1_102);
        assertThat(all())
                .extracting(LockTable::id)
                .containsExactlyInAnyOrderElementsOf(LockSet.documents(namespace, List.of(new TreePath("/a/7"), A))
                        .parts()
                        .keySet());
        assertThat(all()).allMatch(table -> table.holds().keySet().stream().noneMatch(own.holdId()::equals));
    }

    @Test
    void a_release_of_an_open_set_finds_only_the_claims_of_its_request() {
        Hold holder = hold("h1-" + namespace, "r1", 10);
        Hold refused = hold("h2-" + namespace, "r2", 20);
        Hold another = hold("h3-" + namespace, "r3", 30);
        LockSet document = LockSet.documents(namespace, List.of(A));
        prepare(holder, document);
        prepare(refused, document);
        prepare(another, document);

        locks().release(exclusive(B).opened(), Release.ofRequest(refused.requestId(), Set.of()));

        assertThat(all()).hasSize(1);
        assertThat(all().getFirst().claims()).containsOnlyKeys(another.requestId());
        assertThat(all().getFirst().holds()).containsOnlyKeys(holder.holdId());
    }

    @Test
    void releases_one_table_by_its_id() {
        Hold hold = hold("h1", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A, B);
        prepare(hold, locks);

        locks().release(List.of(id(A)), Release.ofHold("h1"));

        assertThat(stored(A)).isEqualTo(empty(A));
        assertThat(stored(B)).isEqualTo(table(B, Map.of(hold, locks), Map.of()));
    }

    @Test
    void a_table_beyond_its_characters_refuses_every_set() {
        String longName = "x".repeat(4_000);
        int fitting = LockTable.MOST_CHARACTERS / (2 * 4_010);
        for (int i = 0; i < fitting; i++) {
            TreePath path = new TreePath("/a/" + longName + "/" + i);
            assertThat(prepare(hold("h" + i, "q" + i, i), LockSet.tree(namespace, path, new TreePath(path + "to")))
                            .taken())
                    .as("set %d", i)
                    .isTrue();
        }
        Hold late = hold("late", "r9", 1_000);
        LockSet two = LockSet.tree(namespace, new TreePath("/a/z" + longName), new TreePath("/a/y" + longName));

        Prepared full = prepare(late, two);
        LockTable claimed = stored(A);
        locks().release(List.of(id(A)), Release.ofHold("h0"));
        Prepared next = prepare(hold("later", "r9", 1_000), two, "late");

        assertThat(full.refused()).containsExactly(id(A));
        assertThat(claimed.blockersOf(late, two.modes())).allMatch(LockTable.Blocker::isFull);
        assertThat(claimed.claims()).containsOnlyKeys(late.requestId());
        assertThat(next.taken()).isTrue();
    }

    @Test
    void a_table_beyond_its_entries_refuses_every_set() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(threads())) {
            Collection<Future<Prepared>> prepared = new ArrayList<>();
            for (int i = 0; i < LockTable.MOST_ENTRIES; i++) {
                Hold hold = hold("h" + i, "q" + i, i);
                LockSet one = exclusive(new TreePath("/a/" + i));
                prepared.add(threads.submit(
                        () -> journal().prepare(new Attempt(JournalStep.ATTEMPT, entry(hold), null, null, hold, one))));
            }
            for (Future<Prepared> one : prepared) {
                assertThat(one.get().taken()).isTrue();
            }
        }

        assertThat(prepare(hold("late", "r9", 10_000), exclusive(new TreePath("/a/free")))
                        .taken())
                .isFalse();
        locks().release(List.of(id(A)), Release.ofHold("h7"));
        assertThat(prepare(hold("younger", "s1", 20_000), exclusive(new TreePath("/a/free-too")))
                        .taken())
                .as("granted before the older claim")
                .isFalse();
        assertThat(prepare(hold("later", "r9", 10_000), exclusive(new TreePath("/a/free")), "late")
                        .taken())
                .isTrue();
    }

    @ParameterizedTest(name = "with seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void random_attempts_and_releases_leave_the_tables_that_the_rule_computes(long seed) {
        Random random = new Random(seed);
        List<TreePath> paths = List.of(
                A, A_X, new TreePath("/a/x/y"), new TreePath("/ab"), B, new TreePath("/b/\u00fc\uD83D\uDE00\n"));
        Set<LockTable.Id> ids = new HashSet<>();
        paths.forEach(path -> ids.add(id(path)));
        Map<LockTable.Id, LockTable> expected = new TreeMap<>();
        ids.forEach(id -> expected.put(id, LockTable.empty(id)));
        List<Hold> made = new ArrayList<>();

        for (int step = 0; step < 40; step++) {
            LockSet locks = randomSet(random, paths);
            if (made.isEmpty() || random.nextInt(3) > 0) {
                long ageMillis =
                        random.nextBoolean() ? random.nextInt(4) : Integer.MAX_VALUE + (long) random.nextInt(4);
                Hold hold = made.isEmpty() || random.nextInt(5) > 0
                        ? hold("h" + step, "r" + random.nextInt(5), ageMillis)
                        : made.get(random.nextInt(made.size()));
                made.add(hold);
                Prepared answer = prepare(hold, locks);
                locks.parts().forEach((id, part) -> expected.computeIfPresent(id, (i, t) -> t.taken(hold, part)));
                assertThat(answer.refused())
                        .describedAs("refusals of step %d", step)
                        .isEqualTo(withoutHold(hold.holdId(), locks.parts().keySet(), expected));
                assertThat(answer.taken()).isEqualTo(answer.refused().isEmpty());
            } else {
                Hold hold = made.get(random.nextInt(made.size()));
                Release release = random.nextBoolean()
                        ? Release.ofHold(hold.holdId())
                        : Release.ofRequest(hold.requestId(), Set.of(hold.holdId()));
                locks().release(locks, release);
                locks.parts().keySet().forEach(id -> expected.computeIfPresent(id, (i, t) -> t.released(release)));
            }
            assertThat(locks().read(expected.keySet()))
                    .describedAs("step %d", step)
                    .containsExactlyElementsOf(expected.values());
        }
    }

    private static Set<LockTable.Id> withoutHold(
            String holdId, Set<LockTable.Id> ids, Map<LockTable.Id, LockTable> tables) {
        return ids.stream()
                .filter(id -> !Objects.requireNonNull(tables.get(id)).isHeldBy(holdId))
                .collect(Collectors.toSet());
    }

    private LockSet randomSet(Random random, List<TreePath> paths) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>();
        for (TreePath path : paths) {
            if (random.nextInt(3) == 0) {
                modes.put(path, random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.SHARED);
            }
        }
        return new LockSet(namespace, modes);
    }
}
