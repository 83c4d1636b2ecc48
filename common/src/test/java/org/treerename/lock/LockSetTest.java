package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.treerename.path.TreePath;

class LockSetTest {

    private static LockSet tree(String source, String destination) {
        return LockSet.tree("files", new TreePath(source), new TreePath(destination));
    }

    private static LockSet of(Map<String, LockMode> modes) {
        Map<TreePath, LockMode> byPath = new TreeMap<>();
        modes.forEach((path, mode) -> byPath.put(new TreePath(path), mode));
        return new LockSet("files", new TreeMap<>(byPath));
    }

    private static LockSet exclusive(String... paths) {
        return of(Stream.of(paths).collect(Collectors.toMap(path -> path, path -> LockMode.EXCLUSIVE)));
    }

    @Test
    void a_rename_locks_source_and_destination_exclusively_and_nothing_above_them() {
        assertThat(tree("/a/b/c", "/a/d")).isEqualTo(exclusive("/a/b/c", "/a/d"));
        assertThat(tree("/a", "/b")).isEqualTo(exclusive("/a", "/b"));
    }

    @Test
    void locks_source_and_destination_even_if_one_is_above_the_other() {
        assertThat(tree("/a/b", "/a")).isEqualTo(exclusive("/a", "/a/b"));
        assertThat(tree("/a", "/a/b")).isEqualTo(exclusive("/a", "/a/b"));
        assertThat(tree("/a/b/c", "/a")).isEqualTo(exclusive("/a", "/a/b/c"));
    }

    @Test
    void locks_one_path_if_source_equals_destination() {
        assertThat(tree("/a/b", "/a/b")).isEqualTo(exclusive("/a/b"));
    }

    @Test
    void a_rename_never_locks_the_root() {
        assertThat(tree("/a/b", "/")).isEqualTo(exclusive("/a/b"));
        assertThat(tree("/", "/a/b")).isEqualTo(exclusive("/a/b"));
    }

    private static LockSet ofWriter(String... directories) {
        return LockSet.ofWriter(
                "files", Stream.of(directories).map(TreePath::new).toList());
    }

    @Test
    void a_writer_locks_its_directories_as_shared_and_never_the_root() {
        assertThat(ofWriter("/a/b/c", "/a", "/d"))
                .isEqualTo(of(Map.of(
                        "/a", LockMode.SHARED,
                        "/a/b/c", LockMode.SHARED,
                        "/d", LockMode.SHARED)));
        assertThat(ofWriter("/")).isEqualTo(of(Map.of()));
    }

    @Test
    void a_writer_conflicts_only_with_renames_of_or_to_its_directory_or_an_ancestor() {
        LockSet writer = ofWriter("/a/b");

        assertThat(Stream.of(tree("/a/b", "/c"), tree("/a", "/c"), tree("/c", "/a/b"), tree("/c", "/a")))
                .allMatch(writer::conflictsWith);
        assertThat(Stream.of(tree("/a/b/c", "/a/b/d"), tree("/a/c", "/a/d"), tree("/c", "/a/b/d"), tree("/ab", "/c")))
                .noneMatch(writer::conflictsWith);
        assertThat(writer.conflictsWith(writer)).isFalse();
    }

    @Test
    void renames_of_unrelated_paths_do_not_conflict() {
        assertThat(tree("/a/b", "/a/c").conflictsWith(tree("/a/d", "/a/e"))).isFalse();
        assertThat(tree("/a/b", "/a/c").conflictsWith(tree("/ab", "/ac"))).isFalse();
    }

    @Test
    void a_rename_conflicts_with_a_rename_of_an_ancestor_or_a_descendant_or_to_the_same_destination() {
        assertThat(tree("/a/b/c", "/x").conflictsWith(tree("/a", "/y"))).isTrue();
        assertThat(tree("/a", "/y").conflictsWith(tree("/a/b/c", "/x"))).isTrue();
        assertThat(tree("/a", "/x").conflictsWith(tree("/b", "/x"))).isTrue();
        assertThat(tree("/a", "/x").conflictsWith(tree("/x/b", "/y"))).isTrue();
    }

    @Test
    void renames_of_different_namespaces_do_not_conflict() {
        assertThat(tree("/a", "/b").conflictsWith(LockSet.tree("others", new TreePath("/a"), new TreePath("/b"))))
                .isFalse();
    }

    private static LockTable.Id table(String path) {
        return LockTable.Id.of("files", new TreePath(path));
    }

    @Test
    void the_parts_of_a_set_are_its_paths_by_the_buckets_of_their_first_segments() {
        assertThat(table("/a")).isNotEqualTo(table("/b"));
        assertThat(table("/a")).isEqualTo(table("/a/b/c"));

        assertThat(tree("/a/b", "/a/c").parts())
                .isEqualTo(Map.of(table("/a"), exclusive("/a/b", "/a/c").modes()));
        assertThat(tree("/a/b", "/b/c").parts())
                .isEqualTo(Map.of(
                        table("/a"), exclusive("/a/b").modes(),
                        table("/b"), exclusive("/b/c").modes()));
    }

    @Test
    void all_paths_whose_locks_may_conflict_are_in_one_table() {
        for (String first : List.of("/a", "/Aa", "/BB", "/z", "/0")) {
            assertThat(table(first + "/x")).isEqualTo(table(first)).isEqualTo(table(first + "/y/z"));
        }
    }

    @Test
    void the_root_has_a_table_of_its_own() {
        LockSet whole = LockSet.whole("files", TreePath.ROOT, LockMode.EXCLUSIVE);

        assertThat(whole.parts()).isEqualTo(Map.of(table("/"), exclusive("/").modes()));
        assertThat(Stream.of("/a", "/b", "/c", "/root", "/root/root"))
                .noneMatch(path -> table(path).equals(table("/")));
    }

    @Test
    void each_document_has_a_table_of_its_own() {
        LockSet documents = LockSet.documents("files", List.of(new TreePath("/a/b"), new TreePath("/a/b/c")));

        assertThat(documents.parts())
                .isEqualTo(Map.of(
                        LockTable.Id.ofDocument("files", new TreePath("/a/b")),
                                exclusive("/a/b").modes(),
                        LockTable.Id.ofDocument("files", new TreePath("/a/b/c")),
                                exclusive("/a/b/c").modes()));
        assertThat(documents.isOpen()).isFalse();
    }

    @Test
    void an_opened_set_is_in_the_same_tables_as_before() {
        LockSet set = tree("/a", "/b");

        assertThat(set.isOpen()).isFalse();
        assertThat(set.opened().isOpen()).isTrue();
        assertThat(set.opened().parts()).isEqualTo(set.parts());
    }
}
