package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Granularity;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

class LockPolicyTest {

    private static final Notation DOTS = new Notation(".", false, false);

    private final LockPolicy global = new LockPolicy(Granularity.GLOBAL, Notation.SLASHES);
    private final LockPolicy tree = LockPolicy.tree(Notation.SLASHES);

    @Test
    void the_global_granularity_locks_only_the_root() {
        assertThat(global.ofRename("files", new TreePath("/a/b"), new TreePath("/c"))
                        .modes())
                .isEqualTo(Map.of(TreePath.ROOT, LockMode.EXCLUSIVE));
        assertThat(new LockPolicy(Granularity.GLOBAL, DOTS)
                        .ofRename("terms", DOTS.path("a.b"), DOTS.path("c"))
                        .modes())
                .isEqualTo(Map.of(DOTS.root(), LockMode.EXCLUSIVE));
    }

    @Test
    void with_the_global_granularity_all_renames_of_a_namespace_conflict() {
        LockSet one = global.ofRename("files", new TreePath("/a"), new TreePath("/b"));

        assertThat(one.conflictsWith(global.ofRename("files", new TreePath("/c"), new TreePath("/d"))))
                .isTrue();
        assertThat(one.conflictsWith(global.ofRename("others", new TreePath("/a"), new TreePath("/b"))))
                .isFalse();
    }

    @Test
    void with_the_global_granularity_writers_conflict_with_renames_and_not_with_each_other() {
        LockSet writer = global.ofWriter("files", List.of(new TreePath("/a")));

        assertThat(writer.conflictsWith(global.ofWriter("files", List.of(new TreePath("/a")))))
                .isFalse();
        assertThat(writer.conflictsWith(global.ofRename("files", new TreePath("/c"), new TreePath("/d"))))
                .isTrue();
    }

    @Test
    void the_document_granularity_locks_both_paths_and_the_documents() {
        LockPolicy document = new LockPolicy(Granularity.DOCUMENT, Notation.SLASHES);

        assertThat(document.ofRename("files", new TreePath("/a/b"), new TreePath("/c/d")))
                .isEqualTo(new LockSet(
                        "files",
                        new TreeMap<>(Map.of(
                                new TreePath("/a/b"), LockMode.EXCLUSIVE,
                                new TreePath("/c/d"), LockMode.EXCLUSIVE)),
                        LockSet.Extent.TABLES_AND_DOCUMENTS));
        assertThat(document.ofWriter("files", List.of(new TreePath("/a"))))
                .isEqualTo(tree.ofWriter("files", List.of(new TreePath("/a"))));
    }

    @Test
    void the_tree_granularity_locks_both_paths() {
        assertThat(tree.ofRename("files", new TreePath("/a/b"), new TreePath("/c")))
                .isEqualTo(LockSet.tree("files", new TreePath("/a/b"), new TreePath("/c")));
        assertThat(tree.ofWriter("files", List.of(new TreePath("/a"))))
                .isEqualTo(LockSet.ofWriter("files", List.of(new TreePath("/a"))));
    }
}
