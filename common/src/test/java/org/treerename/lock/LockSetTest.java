package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.path.Path;

class LockSetTest {

    private static LockSet tree(String source, String destination) {
        return LockSet.tree("files", new Path(source), new Path(destination));
    }

    private static LockSet of(Map<String, LockMode> modes) {
        Map<Path, LockMode> byPath = new TreeMap<>();
        modes.forEach((path, mode) -> byPath.put(new Path(path), mode));
        return new LockSet("files", new TreeMap<>(byPath));
    }

    @Test
    void both_ends_are_locked_exclusively_and_what_lies_above_them_as_shared_but_for_the_root() {
        assertThat(tree("/a/b/c", "/a/d"))
                .isEqualTo(of(Map.of(
                        "/a", LockMode.SHARED,
                        "/a/b", LockMode.SHARED,
                        "/a/b/c", LockMode.EXCLUSIVE,
                        "/a/d", LockMode.EXCLUSIVE)));
    }

    @Test
    void top_level_paths_need_no_shared_lock() {
        assertThat(tree("/a", "/b")).isEqualTo(of(Map.of("/a", LockMode.EXCLUSIVE, "/b", LockMode.EXCLUSIVE)));
    }

    @Test
    void a_path_needed_in_both_modes_is_locked_exclusively() {
        Map<String, LockMode> nested = Map.of("/a", LockMode.EXCLUSIVE, "/a/b", LockMode.EXCLUSIVE);

        assertThat(tree("/a/b", "/a")).isEqualTo(of(nested));
        assertThat(tree("/a", "/a/b")).isEqualTo(of(nested));
        assertThat(tree("/a/b/c", "/a"))
                .isEqualTo(of(Map.of("/a", LockMode.EXCLUSIVE, "/a/b", LockMode.SHARED, "/a/b/c", LockMode.EXCLUSIVE)));
    }

    @Test
    void the_same_path_at_both_ends_is_locked_once() {
        assertThat(tree("/a/b", "/a/b")).isEqualTo(of(Map.of("/a", LockMode.SHARED, "/a/b", LockMode.EXCLUSIVE)));
    }

    @Test
    void the_root_is_never_locked() {
        assertThat(tree("/a/b", "/")).isEqualTo(of(Map.of("/a", LockMode.SHARED, "/a/b", LockMode.EXCLUSIVE)));
    }

    private static LockSet writing(String... directories) {
        return LockSet.writing("files", Stream.of(directories).map(Path::new).toList());
    }

    @Test
    void a_writer_locks_its_directories_and_all_above_them_as_shared_but_for_the_root() {
        assertThat(writing("/a/b/c", "/a", "/d"))
                .isEqualTo(of(Map.of(
                        "/a", LockMode.SHARED,
                        "/a/b", LockMode.SHARED,
                        "/a/b/c", LockMode.SHARED,
                        "/d", LockMode.SHARED)));
        assertThat(writing("/")).isEqualTo(of(Map.of()));
    }

    @Test
    void a_writer_keeps_out_renames_of_its_directory_or_above_it_or_in_its_place_and_no_others() {
        LockSet writer = writing("/a/b");

        assertThat(Stream.of(tree("/a/b", "/c"), tree("/a", "/c"), tree("/c", "/a/b"), tree("/c", "/a")))
                .allMatch(writer::conflictsWith);
        assertThat(Stream.of(tree("/a/b/c", "/a/b/d"), tree("/a/c", "/a/d"), tree("/c", "/a/b/d"), tree("/ab", "/c")))
                .noneMatch(writer::conflictsWith);
        assertThat(writer.conflictsWith(writer)).isFalse();
    }

    @Test
    void renames_in_different_places_do_not_conflict() {
        assertThat(tree("/a/b", "/a/c").conflictsWith(tree("/a/d", "/a/e"))).isFalse();
        assertThat(tree("/a/b", "/a/c").conflictsWith(tree("/ab", "/ac"))).isFalse();
    }

    @Test
    void a_rename_conflicts_with_one_of_an_ancestor_or_a_descendant_or_to_the_same_place() {
        assertThat(tree("/a/b/c", "/x").conflictsWith(tree("/a", "/y"))).isTrue();
        assertThat(tree("/a", "/y").conflictsWith(tree("/a/b/c", "/x"))).isTrue();
        assertThat(tree("/a", "/x").conflictsWith(tree("/b", "/x"))).isTrue();
        assertThat(tree("/a", "/x").conflictsWith(tree("/x/b", "/y"))).isTrue();
    }

    @Test
    void renames_of_different_namespaces_do_not_conflict() {
        assertThat(tree("/a", "/b").conflictsWith(LockSet.tree("others", new Path("/a"), new Path("/b"))))
                .isFalse();
    }
}
