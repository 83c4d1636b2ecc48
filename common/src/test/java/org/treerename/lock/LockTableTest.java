package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

class LockTableTest {

    private static final Hold OLD = new Hold("h1", "p1", new LockPriority(1, "r1"));
    private static final Hold MIDDLE = new Hold("h2", "p2", new LockPriority(2, "r2"));
    private static final Hold YOUNG = new Hold("h3", "p3", new LockPriority(3, "r3"));

    private final LockTable empty = LockTable.empty(LockTable.Id.of("files", new TreePath("/a")));

    private static SortedMap<TreePath, LockMode> exclusive(String path) {
        return new TreeMap<>(Map.of(new TreePath(path), LockMode.EXCLUSIVE));
    }

    private static SortedMap<TreePath, LockMode> shared(String path) {
        return new TreeMap<>(Map.of(new TreePath(path), LockMode.SHARED));
    }

    @ParameterizedTest
    @CsvSource({
        "/a,   EXCLUSIVE, /a,   EXCLUSIVE, true",
        "/a,   EXCLUSIVE, /a/b, EXCLUSIVE, true",
        "/a,   EXCLUSIVE, /ab,  EXCLUSIVE, false",
        "/a/b, EXCLUSIVE, /a/c, EXCLUSIVE, false",
        "/a,   EXCLUSIVE, /a,   SHARED,    true",
        "/a,   EXCLUSIVE, /a/b, SHARED,    true",
        "/a/b, EXCLUSIVE, /a,   SHARED,    false",
        "/a,   SHARED,    /a,   SHARED,    false",
        "/a,   SHARED,    /a/b, SHARED,    false",
        "/,    EXCLUSIVE, /,    SHARED,    true",
    })
    void locks_conflict_by_their_modes_and_the_relation_of_their_paths(
            String one, LockMode mode, String other, LockMode otherMode, boolean conflict) {
        assertThat(LockTable.conflict(new TreePath(one), mode, new TreePath(other), otherMode))
                .isEqualTo(conflict);
        assertThat(LockTable.conflict(new TreePath(other), otherMode, new TreePath(one), mode))
                .isEqualTo(conflict);
    }

    @Test
    void a_refusal_leaves_the_claim_and_changes_no_hold() {
        LockTable table = empty.taken(OLD, exclusive("/a")).taken(YOUNG, shared("/a/b"));

        assertThat(table.holds()).containsOnly(Map.entry("h1", new Held(OLD, exclusive("/a"))));
        assertThat(table.claims()).containsOnly(Map.entry("r3", new Claim(YOUNG.age(), shared("/a/b"))));
    }

    @Test
    void a_claim_refuses_younger_requests_and_not_older_ones() {
        LockTable claimed = empty.taken(OLD, exclusive("/a"))
                .taken(MIDDLE, exclusive("/a/b"))
                .released(Release.ofHold("h1"));

        assertThat(claimed.taken(YOUNG, exclusive("/a")).isHeldBy("h3")).isFalse();
        assertThat(claimed.taken(OLD, shared("/a/b")).isHeldBy("h1")).isTrue();
        assertThat(claimed.taken(MIDDLE, exclusive("/a/b")).isHeldBy("h2")).isTrue();
    }

    @Test
    void a_later_refusal_with_other_paths_replaces_the_claim() {
        LockTable table =
                empty.taken(OLD, exclusive("/a")).taken(YOUNG, shared("/a")).taken(YOUNG, exclusive("/a/c"));

        assertThat(table.claims()).containsOnly(Map.entry("r3", new Claim(YOUNG.age(), exclusive("/a/c"))));
    }

    @Test
    void a_release_removes_only_its_own_holds_and_claims() {
        LockTable table =
                empty.taken(OLD, shared("/a")).taken(MIDDLE, shared("/a")).taken(YOUNG, exclusive("/a"));

        assertThat(table.released(Release.ofHold("h1")).holds()).containsOnlyKeys("h2");
        assertThat(table.released(Release.ofHold("h1")).claims()).containsOnlyKeys("r3");
        assertThat(table.released(Release.ofRequest("r3", Set.of())).claims()).isEmpty();
        assertThat(table.released(Release.ofHold("r3"))).isEqualTo(table);
        assertThat(table.released(Release.ofRequest("r3", Set.of("h1", "h2"))).isEmpty())
                .isTrue();
    }

    @Test
    void a_blocker_is_reported_with_its_own_path() {
        LockTable table = empty.taken(OLD, shared("/a/b/c")).taken(MIDDLE, exclusive("/a"));

        assertThat(table.blockersOf(YOUNG, exclusive("/a/b")))
                .extracting(Object::toString)
                .containsExactly(
                        "/a/b/c is held in shared mode by request r1 of process p1",
                        "/a is claimed exclusively by the older request r2");
    }

    @Test
    void a_full_table_refuses_a_request_without_a_conflict_and_names_its_oldest_hold() {
        LockTable full = filled(LockTable.MOST_ENTRIES);
        LockTable almost = filled(LockTable.MOST_ENTRIES - 1);

        assertThat(almost.blockersOf(YOUNG, exclusive("/a/free"))).isEmpty();
        assertThat(full.blockersOf(YOUNG, exclusive("/a/free")))
                .extracting(Object::toString)
                .containsExactly(
                        "the lock table is full; its oldest entry: /a/0 is held exclusively by request q0 of process p");
        assertThat(full.taken(YOUNG, exclusive("/a/free")).claims()).containsOnlyKeys("r3");
    }

    /**
     * If the claim did not count, younger requests could fill the free space again and again. Then the older request
     * would never acquire its lock.
     */
    @Test
    void an_older_claim_of_a_full_table_counts_as_a_hold() {
        LockTable waited = filled(LockTable.MOST_ENTRIES).taken(MIDDLE, exclusive("/a/free"));
        LockTable room = waited.released(Release.ofHold("f5"));

        assertThat(room.taken(YOUNG, exclusive("/a/other")).isHeldBy("h3")).isFalse();
        assertThat(room.taken(OLD, exclusive("/a/other")).isHeldBy("h1")).isTrue();
        assertThat(room.taken(MIDDLE, exclusive("/a/free")).isHeldBy("h2")).isTrue();
    }

    @Test
    void a_table_that_is_full_of_claims_refuses_only_younger_requests() {
        SortedMap<String, Claim> claims = new TreeMap<>();
        IntStream.range(0, LockTable.MOST_ENTRIES)
                .forEach(i -> claims.put("q" + i, new Claim(new LockPriority(1, "q" + i), exclusive("/a/" + i))));
        LockTable table = new LockTable(empty.id(), new TreeMap<>(), claims);

        assertThat(table.blockersOf(YOUNG, exclusive("/a/free")))
                .extracting(Object::toString)
                .containsExactly(
                        "the lock table is full; its oldest entry: /a/0 is claimed exclusively by the older request q0");
        assertThat(table.taken(new Hold("h0", "p", new LockPriority(0, "r0")), exclusive("/a/free"))
                        .isHeldBy("h0"))
                .isTrue();
    }

    private LockTable filled(int holds) {
        SortedMap<String, Held> all = new TreeMap<>();
        IntStream.range(0, holds)
                .forEach(i -> all.put(
                        "f" + i, new Held(new Hold("f" + i, "p", new LockPriority(i, "q" + i)), exclusive("/a/" + i))));
        return new LockTable(empty.id(), all, new TreeMap<>());
    }

    @Test
    void the_characters_of_a_table_are_limited_and_an_empty_table_accepts_any_set() {
        SortedMap<TreePath, LockMode> much = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            much.put(new TreePath("/a/" + "x".repeat(4_000) + i), LockMode.SHARED);
        }
        LockTable table = empty.taken(OLD, much);

        assertThat(table.isHeldBy("h1")).isTrue();
        assertThat(table.taken(MIDDLE, shared("/a/b")).isHeldBy("h2")).isFalse();
    }

    @Test
    void claims_beyond_the_limit_are_not_kept() {
        SortedMap<String, Claim> claims = new TreeMap<>();
        IntStream.range(0, LockTable.MOST_ENTRIES)
                .forEach(i -> claims.put("q" + i, new Claim(new LockPriority(10, "q" + i), exclusive("/a"))));
        LockTable table =
                new LockTable(empty.id(), new TreeMap<>(Map.of("h1", new Held(OLD, exclusive("/a")))), claims);

        assertThat(table.taken(MIDDLE, exclusive("/a"))).isEqualTo(table);
        assertThat(table.hasRoomForClaim("r2", exclusive("/a"))).isFalse();
        assertThat(table.hasRoomForClaim("q5", exclusive("/a"))).isTrue();
    }

    @Test
    void paths_of_one_first_segment_share_a_table_and_the_root_has_its_own() {
        Notation dots = new Notation(".", false, true);

        assertThat(LockTable.Id.of("files", new TreePath("/a/b/c")))
                .isEqualTo(LockTable.Id.of("files", new TreePath("/a")));
        assertThat(LockTable.Id.of("terms", dots.path("\"a.b\".c")))
                .isEqualTo(LockTable.Id.of("terms", dots.path("\"a.b\"")));
        assertThat(LockTable.Id.of("files", TreePath.ROOT).name()).isEqualTo("root");
        assertThat(IntStream.range(0, 1_000)
                        .mapToObj(i ->
                                LockTable.Id.of("files", new TreePath("/" + i)).name())
                        .distinct())
                .hasSize(LockTable.BUCKETS);
    }

    @Test
    void priorities_compare_ages_and_then_ids() {
        assertThat(OLD.age().isOlderThan(OLD.age())).isFalse();
        assertThat(new LockPriority(1, "a").isOlderThan(new LockPriority(1, "b")))
                .isTrue();
        assertThat(new LockPriority(1, "b").isOlderThan(new LockPriority(2, "a")))
                .isTrue();
    }
}
