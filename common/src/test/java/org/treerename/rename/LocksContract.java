package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Blocker;
import org.treerename.lock.LockDocument.Claim;
import org.treerename.lock.LockDocument.Held;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;
import org.treerename.rename.Journal.Attempt;
import org.treerename.rename.Journal.Prepared;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** What every pair of a journal and a lock store keeps: how locks are taken, refused, claimed and given back. */
public abstract class LocksContract {

    private static final Path A = new Path("/a");
    private static final Path A_X = new Path("/a/x");
    private static final Path B = new Path("/b");

    /** Of this test alone; it begins the name of every request, so their order is that of what follows it. */
    protected final String namespace = "locks-" + UUID.randomUUID();

    protected abstract Journal journal();

    protected abstract LockStore locks();

    /** A lock document as it is stored; an implementation with a stored form of its own checks that, too. */
    protected Optional<LockDocument> stored(Path path) {
        return locks().read(namespace, path);
    }

    private Hold hold(String holdId, String request, long ageMillis) {
        return new Hold(holdId, "process of " + request, new Age(ageMillis, namespace + request));
    }

    private LockSet only(Path path, LockMode mode) {
        return new LockSet(namespace, new TreeMap<>(Map.of(path, mode)));
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

    /** With the entry in the version that it has now. */
    private Prepared prepare(Hold hold, LockSet locks, @Nullable String previousHoldId) {
        Version seen = journal().read(hold.requestId()).map(Versioned::version).orElse(null);
        return journal().prepare(new Attempt(entry(hold), seen, previousHoldId, hold, locks));
    }

    private LockDocument document(Path path, Map<Hold, LockMode> holds, Map<Hold, LockMode> claims) {
        SortedMap<String, Held> held = new TreeMap<>();
        holds.forEach((hold, mode) -> held.put(hold.holdId(), new Held(hold, mode)));
        SortedMap<String, Claim> claimed = new TreeMap<>();
        claims.forEach((hold, mode) -> claimed.put(hold.requestId(), new Claim(hold.age(), mode)));
        return new LockDocument(namespace, path, held, claimed);
    }

    @Test
    void a_free_lock_set_is_taken_whole() {
        Hold hold = hold("h1", "r1", 10);

        Prepared prepared = prepare(hold, LockSet.tree(namespace, A_X, B));

        assertThat(prepared.entry()).isInstanceOf(WriteResult.Written.class);
        assertThat(prepared).returns(true, Prepared::taken).returns(List.of(), Prepared::blockers);
        assertThat(stored(A)).contains(document(A, Map.of(hold, LockMode.SHARED), Map.of()));
        assertThat(stored(A_X)).contains(document(A_X, Map.of(hold, LockMode.EXCLUSIVE), Map.of()));
        assertThat(stored(B)).contains(document(B, Map.of(hold, LockMode.EXCLUSIVE), Map.of()));
        assertThat(journal().read(hold.requestId()).map(Versioned::value)).contains(entry(hold));
    }

    @Test
    void shared_holds_stand_side_by_side() {
        Hold one = hold("h1", "r1", 10);
        Hold other = hold("h2", "r2", 20);

        prepare(one, only(A, LockMode.SHARED));
        Prepared second = prepare(other, only(A, LockMode.SHARED));

        assertThat(second.taken()).isTrue();
        assertThat(stored(A)).contains(document(A, Map.of(one, LockMode.SHARED, other, LockMode.SHARED), Map.of()));
    }

    @Test
    void an_exclusive_hold_refuses_every_other_and_the_refused_leave_their_claims() {
        Hold holder = hold("h1", "r1", 10);
        Hold reader = hold("h2", "r2", 20);
        Hold writer = hold("h3", "r3", 30);

        prepare(holder, only(A, LockMode.EXCLUSIVE));
        Prepared shared = prepare(reader, only(A, LockMode.SHARED));
        Prepared exclusive = prepare(writer, only(A, LockMode.EXCLUSIVE));

        Blocker byHold = new Blocker(
                A, holder.requestId(), Optional.of(new Held(holder, LockMode.EXCLUSIVE)), LockMode.EXCLUSIVE);
        Blocker byClaim = new Blocker(A, reader.requestId(), Optional.empty(), LockMode.SHARED);
        assertThat(shared).returns(false, Prepared::taken).returns(List.of(byHold), Prepared::blockers);
        assertThat(exclusive).returns(false, Prepared::taken).returns(List.of(byHold, byClaim), Prepared::blockers);
        assertThat(stored(A))
                .contains(document(
                        A,
                        Map.of(holder, LockMode.EXCLUSIVE),
                        Map.of(reader, LockMode.SHARED, writer, LockMode.EXCLUSIVE)));
    }

    @Test
    void a_shared_hold_refuses_an_exclusive_one() {
        Hold reader = hold("h1", "r1", 10);
        Hold writer = hold("h2", "r2", 20);

        prepare(reader, only(A, LockMode.SHARED));
        Prepared refused = prepare(writer, only(A, LockMode.EXCLUSIVE));

        assertThat(refused.taken()).isFalse();
        assertThat(stored(A))
                .contains(document(A, Map.of(reader, LockMode.SHARED), Map.of(writer, LockMode.EXCLUSIVE)));
    }

    @Test
    void an_older_claim_refuses_the_younger_in_an_incompatible_mode_and_nobody_else() {
        Hold holder = hold("h1", "r1", 10);
        Hold claimant = hold("h2", "r2", 20);
        prepare(holder, only(A, LockMode.SHARED));
        prepare(claimant, only(A, LockMode.EXCLUSIVE));

        Prepared younger = prepare(hold("h3", "r3", 30), only(A, LockMode.SHARED));
        Prepared older = prepare(hold("h4", "r4", 15), only(A, LockMode.SHARED));

        assertThat(younger)
                .returns(false, Prepared::taken)
                .returns(
                        List.of(new Blocker(A, claimant.requestId(), Optional.empty(), LockMode.EXCLUSIVE)),
                        Prepared::blockers);
        assertThat(older.taken()).isTrue();
    }

    @Test
    void a_claim_becomes_older_by_another_record_of_its_request_and_never_younger() {
        Hold holder = hold("h1", "r1", 10);
        Hold first = hold("h2", "r2", 30);
        Hold later = hold("h3", "r2", 40);
        Hold earlier = hold("h4", "r2", 20);
        prepare(holder, only(A, LockMode.EXCLUSIVE));

        prepare(first, only(A, LockMode.EXCLUSIVE));
        prepare(later, only(A, LockMode.EXCLUSIVE));
        Optional<LockDocument> afterLater = stored(A);
        prepare(earlier, only(A, LockMode.EXCLUSIVE));

        assertThat(afterLater)
                .contains(document(A, Map.of(holder, LockMode.EXCLUSIVE), Map.of(first, LockMode.EXCLUSIVE)));
        assertThat(stored(A))
                .contains(document(A, Map.of(holder, LockMode.EXCLUSIVE), Map.of(earlier, LockMode.EXCLUSIVE)));
    }

    @Test
    void shared_claims_do_not_refuse_shared_holds() {
        Hold holder = hold("h1", "r1", 10);
        prepare(holder, only(A, LockMode.EXCLUSIVE));
        prepare(hold("h2", "r2", 20), only(A, LockMode.SHARED));
        locks().release(only(A, LockMode.EXCLUSIVE), Release.ofHold("h1"));

        Prepared younger = prepare(hold("h3", "r3", 30), only(A, LockMode.SHARED));

        assertThat(younger.taken()).isTrue();
    }

    @Test
    void of_the_same_time_the_request_id_that_sorts_first_is_older() {
        prepare(hold("h1", "r1", 10), only(A, LockMode.SHARED));
        prepare(hold("h5", "r5", 20), only(A, LockMode.EXCLUSIVE));

        Prepared after = prepare(hold("h6", "r6", 20), only(A, LockMode.SHARED));
        Prepared before = prepare(hold("h4", "r4", 20), only(A, LockMode.SHARED));

        assertThat(List.of(after.taken(), before.taken())).containsExactly(false, true);
    }

    @Test
    void an_own_claim_refuses_nobody_and_stays_with_the_hold() {
        Hold holder = hold("h1", "r1", 10);
        Hold first = hold("h2", "r2", 20);
        Hold second = hold("h2b", "r2", 20);
        prepare(holder, only(A, LockMode.EXCLUSIVE));
        prepare(first, only(A, LockMode.EXCLUSIVE));
        locks().release(only(A, LockMode.EXCLUSIVE), Release.ofHold("h1"));

        Prepared taken = prepare(second, only(A, LockMode.EXCLUSIVE), "h2");

        assertThat(taken.taken()).isTrue();
        assertThat(stored(A))
                .contains(document(A, Map.of(second, LockMode.EXCLUSIVE), Map.of(first, LockMode.EXCLUSIVE)));
    }

    @Test
    void an_own_hold_is_success_and_changes_nothing() {
        Hold hold = hold("h1", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A_X, B);
        Attempt attempt = new Attempt(entry(hold), null, null, hold, locks);
        journal().prepare(attempt);

        Prepared again = journal().prepare(attempt);

        assertThat(again).isEqualTo(new Prepared(new WriteResult.Conflict(), List.of(), true, false, false));
        assertThat(stored(A)).contains(document(A, Map.of(hold, LockMode.SHARED), Map.of()));
    }

    @Test
    void whether_an_attempt_has_changed_a_lock_document_is_told() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet one = only(A, LockMode.EXCLUSIVE);
        LockSet both = LockSet.tree(namespace, A, B);

        assertThat(prepare(holder, one).changed()).as("taken").isTrue();
        assertThat(prepare(holder, one).changed()).as("held already").isFalse();
        assertThat(prepare(holder, both).changed())
                .as("one of two held already")
                .isTrue();
        assertThat(prepare(refused, one).changed()).as("claimed").isTrue();
        assertThat(prepare(refused, one).changed()).as("claimed already").isFalse();
    }

    @Test
    void another_hold_of_the_same_request_is_not_the_own_one() {
        Hold late = hold("h1", "r1", 10);
        Hold own = hold("h2", "r1", 10);
        prepare(late, only(A, LockMode.EXCLUSIVE));

        Prepared refused = prepare(own, only(A, LockMode.EXCLUSIVE));

        assertThat(refused)
                .returns(false, Prepared::taken)
                .returns(
                        List.of(new Blocker(
                                A,
                                late.requestId(),
                                Optional.of(new Held(late, LockMode.EXCLUSIVE)),
                                LockMode.EXCLUSIVE)),
                        Prepared::blockers);
    }

    @Test
    void the_previous_attempts_hold_is_removed_before_the_locks_are_taken() {
        Hold previous = hold("h1", "r1", 10);
        Hold next = hold("h2", "r1", 10);
        LockSet locks = LockSet.tree(namespace, A_X, B);
        prepare(previous, locks);

        Prepared prepared = prepare(next, locks, "h1");

        assertThat(prepared.taken()).isTrue();
        assertThat(stored(A)).contains(document(A, Map.of(next, LockMode.SHARED), Map.of()));
        assertThat(stored(A_X)).contains(document(A_X, Map.of(next, LockMode.EXCLUSIVE), Map.of()));
        assertThat(stored(B)).contains(document(B, Map.of(next, LockMode.EXCLUSIVE), Map.of()));
    }

    @Test
    void where_the_entry_is_refused_the_locks_are_tried_all_the_same() {
        Hold first = hold("h1", "r1", 10);
        Hold second = hold("h2", "r1", 10);
        prepare(first, only(A, LockMode.EXCLUSIVE));

        Prepared prepared =
                journal().prepare(new Attempt(entry(second), null, null, second, only(B, LockMode.EXCLUSIVE)));

        assertThat(prepared).isEqualTo(new Prepared(new WriteResult.Conflict(), List.of(), true, false, true));
        assertThat(stored(B)).contains(document(B, Map.of(second, LockMode.EXCLUSIVE), Map.of()));
        assertThat(journal().read(first.requestId()).map(Versioned::value)).contains(entry(first));
    }

    @Test
    void a_set_that_is_refused_in_one_place_holds_the_others() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        prepare(holder, only(B, LockMode.EXCLUSIVE));

        Prepared prepared = prepare(refused, LockSet.tree(namespace, A, B));

        assertThat(prepared.taken()).isFalse();
        assertThat(stored(A)).contains(document(A, Map.of(refused, LockMode.EXCLUSIVE), Map.of()));
        assertThat(stored(B))
                .contains(document(B, Map.of(holder, LockMode.EXCLUSIVE), Map.of(refused, LockMode.EXCLUSIVE)));
    }

    @Test
    void giving_a_hold_back_leaves_the_claim_and_may_be_done_twice() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet both = LockSet.tree(namespace, A, B);
        prepare(holder, only(B, LockMode.EXCLUSIVE));
        prepare(refused, both);

        locks().release(both, Release.ofHold("h2"));
        locks().release(both, Release.ofHold("h2"));

        assertThat(stored(A)).isEmpty();
        assertThat(stored(B))
                .contains(document(B, Map.of(holder, LockMode.EXCLUSIVE), Map.of(refused, LockMode.EXCLUSIVE)));
    }

    @Test
    void who_takes_the_last_hold_and_claim_away_deletes_the_document() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        LockSet locks = only(A, LockMode.EXCLUSIVE);
        prepare(holder, locks);
        prepare(refused, locks);

        locks().release(locks, Release.ofRequest(holder.requestId(), Set.of("h1")));
        Optional<LockDocument> claimed = stored(A);
        locks().release(locks, Release.ofRequest(refused.requestId(), Set.of()));

        assertThat(claimed).contains(document(A, Map.of(), Map.of(refused, LockMode.EXCLUSIVE)));
        assertThat(stored(A)).isEmpty();
    }

    @Test
    void nobody_is_released_by_another_ones_id() {
        Hold holder = hold("h1", "r1", 10);
        prepare(holder, only(A, LockMode.EXCLUSIVE));

        locks().release(only(A, LockMode.EXCLUSIVE), Release.ofRequest(namespace + "r2", Set.of("h2")));

        assertThat(stored(A)).contains(document(A, Map.of(holder, LockMode.EXCLUSIVE), Map.of()));
    }

    @Test
    void the_same_path_in_another_namespace_is_another_lock() {
        Hold here = hold("h1", "r1", 10);
        Hold there = hold("h2", "r2", 20);
        LockSet elsewhere =
                new LockSet(namespace + "-other", only(A, LockMode.EXCLUSIVE).modes());

        prepare(here, only(A, LockMode.EXCLUSIVE));
        Prepared other = prepare(there, elsewhere);

        assertThat(other.taken()).isTrue();
        locks().release(elsewhere, Release.ofHold("h2"));
    }

    @Test
    void the_deepest_path_is_locked_with_all_its_ancestors() {
        Path deepest = new Path("/d".repeat(Path.MAX_SEGMENTS));
        Hold hold = hold("h1", "r1", 10);
        LockSet locks = LockSet.tree(namespace, deepest, B);

        Prepared prepared = prepare(hold, locks);
        Optional<LockDocument> held = stored(deepest);
        locks().release(locks, Release.ofHold("h1"));

        assertThat(prepared.taken()).isTrue();
        assertThat(held).contains(document(deepest, Map.of(hold, LockMode.EXCLUSIVE), Map.of()));
        assertThat(stored(deepest)).isEmpty();
        assertThat(stored(new Path("/d"))).isEmpty();
    }

    /** Of this test's namespace; the store may be shared. */
    private List<LockDocument> all() {
        return locks().all().stream()
                .filter(lock -> lock.namespace().equals(namespace))
                .toList();
    }

    @Test
    void all_lock_documents_are_found_with_their_holds_and_claims_as_soon_as_they_stand() {
        Hold holder = hold("h1", "r1", 10);
        Hold refused = hold("h2", "r2", 20);
        prepare(holder, only(A, LockMode.EXCLUSIVE));
        prepare(refused, LockSet.tree(namespace, A, B));

        assertThat(all())
                .containsExactlyInAnyOrder(
                        document(A, Map.of(holder, LockMode.EXCLUSIVE), Map.of(refused, LockMode.EXCLUSIVE)),
                        document(B, Map.of(refused, LockMode.EXCLUSIVE), Map.of()));
    }

    @Test
    void a_lock_document_of_which_everything_was_taken_away_is_not_found_any_more() {
        Hold hold = hold("h1", "r1", 10);
        LockSet set = LockSet.tree(namespace, A_X, B);
        prepare(hold, set);
        int before = all().size();

        locks().release(set, Release.ofHold("h1"));

        assertThat(before).isEqualTo(3);
        assertThat(all()).isEmpty();
    }

    @Test
    void more_lock_documents_than_one_page_holds_are_all_found_once() {
        Path deepest = new Path("/d".repeat(Path.MAX_SEGMENTS));
        LockSet set = LockSet.tree(namespace, deepest, new Path("/e".repeat(2)));
        prepare(hold("h1", "r1", 10), set);

        List<LockDocument> found = all();
        locks().release(set, Release.ofHold("h1"));

        assertThat(found)
                .extracting(LockDocument::path)
                .containsExactlyInAnyOrderElementsOf(set.modes().keySet());
        assertThat(found).hasSizeGreaterThan(1_000);
    }

    /** Of more than a page of them, and of one in which somebody else has a hold, too. */
    @Test
    void of_an_open_set_a_hold_is_given_back_wherever_it_stands() {
        Hold own = hold("h-" + namespace, "r1", 10);
        Hold other = hold("h2", "r2", 20);
        LockSet listed = only(B, LockMode.EXCLUSIVE);
        SortedMap<Path, LockMode> more = new TreeMap<>();
        for (int i = 0; i < 1_100; i++) {
            more.put(new Path("/a/" + i), LockMode.EXCLUSIVE);
        }
        prepare(own, listed);
        prepare(own, new LockSet(namespace, more));
        prepare(own, only(A, LockMode.SHARED));
        prepare(other, only(A, LockMode.SHARED));
        int before = all().size();

        locks().release(listed.opened(), Release.ofHold(own.holdId()));

        assertThat(before).isEqualTo(1_102);
        assertThat(all()).containsExactly(document(A, Map.of(other, LockMode.SHARED), Map.of()));
    }

    @Test
    void of_an_open_set_the_claims_of_a_request_are_given_back_wherever_they_stand_and_no_others() {
        Hold holder = hold("h1-" + namespace, "r1", 10);
        Hold refused = hold("h2-" + namespace, "r2", 20);
        Hold another = hold("h3-" + namespace, "r3", 30);
        prepare(holder, only(A, LockMode.EXCLUSIVE));
        prepare(refused, only(A, LockMode.EXCLUSIVE));
        prepare(another, only(A, LockMode.EXCLUSIVE));

        locks().release(only(B, LockMode.EXCLUSIVE).opened(), Release.ofRequest(refused.requestId(), Set.of()));

        assertThat(all())
                .containsExactly(document(A, Map.of(holder, LockMode.EXCLUSIVE), Map.of(another, LockMode.EXCLUSIVE)));
    }

    @Test
    void one_lock_document_alone_is_released_by_its_own_set() {
        Hold hold = hold("h1", "r1", 10);
        prepare(hold, LockSet.tree(namespace, A, B));
        LockDocument atA = stored(A).orElseThrow();

        locks().release(atA.alone(), Release.ofHold("h1"));

        assertThat(stored(A)).isEmpty();
        assertThat(stored(B)).contains(document(B, Map.of(hold, LockMode.EXCLUSIVE), Map.of()));
    }

    @ParameterizedTest(name = "with seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void random_attempts_and_releases_leave_the_documents_that_the_rule_says(long seed) {
        Random random = new Random(seed);
        List<Path> paths = List.of(A, A_X, B, new Path("/b/ü\uD83D\uDE00\n"));
        Map<Path, LockDocument> expected = new TreeMap<>();
        paths.forEach(path -> expected.put(path, LockDocument.empty(namespace, path)));
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
                prepare(hold, locks);
                locks.modes().forEach((path, mode) -> expected.computeIfPresent(path, (p, d) -> d.taken(hold, mode)));
            } else {
                Hold hold = made.get(random.nextInt(made.size()));
                Release release = random.nextBoolean()
                        ? Release.ofHold(hold.holdId())
                        : Release.ofRequest(hold.requestId(), Set.of(hold.holdId()));
                locks().release(locks, release);
                locks.modes().keySet().forEach(path -> expected.computeIfPresent(path, (p, d) -> d.released(release)));
            }
            for (Path path : paths) {
                assertThat(stored(path).orElse(LockDocument.empty(namespace, path)))
                        .describedAs("step %d, %s", step, path)
                        .isEqualTo(expected.get(path));
            }
        }
    }

    private LockSet randomSet(Random random, List<Path> paths) {
        SortedMap<Path, LockMode> modes = new TreeMap<>();
        for (Path path : paths) {
            if (random.nextBoolean()) {
                modes.put(path, random.nextInt(3) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED);
            }
        }
        return new LockSet(namespace, modes);
    }
}
