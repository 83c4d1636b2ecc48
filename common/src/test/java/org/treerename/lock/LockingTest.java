package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.treerename.path.Granularity;
import org.treerename.path.Notation;
import org.treerename.path.Path;

class LockingTest {

    private static final Notation DOTS = new Notation(".", false, false);

    private final Locking global = new Locking(Granularity.GLOBAL, Notation.SLASHES);
    private final Locking tree = Locking.tree(Notation.SLASHES);

    @Test
    void globalLocksTheRootAlone() {
        assertThat(global.ofRename("files", new Path("/a/b"), new Path("/c")).modes())
                .isEqualTo(Map.of(Path.ROOT, LockMode.EXCLUSIVE));
        assertThat(new Locking(Granularity.GLOBAL, DOTS)
                        .ofRename("terms", DOTS.path("a.b"), DOTS.path("c"))
                        .modes())
                .isEqualTo(Map.of(DOTS.root(), LockMode.EXCLUSIVE));
    }

    @Test
    void globalKeepsRenamesApartThatDoNotMeet() {
        LockSet one = global.ofRename("files", new Path("/a"), new Path("/b"));

        assertThat(one.conflictsWith(global.ofRename("files", new Path("/c"), new Path("/d"))))
                .isTrue();
        assertThat(one.conflictsWith(global.ofRename("others", new Path("/a"), new Path("/b"))))
                .isFalse();
    }

    @Test
    void globalKeepsWritersFromRenamesAndNotFromEachOther() {
        LockSet writer = global.ofWriter("files", List.of(new Path("/a")));

        assertThat(writer.conflictsWith(global.ofWriter("files", List.of(new Path("/a")))))
                .isFalse();
        assertThat(writer.conflictsWith(global.ofRename("files", new Path("/c"), new Path("/d"))))
                .isTrue();
    }

    @Test
    void documentLocksThePathsOfTheTreeAndMore() {
        Locking document = new Locking(Granularity.DOCUMENT, Notation.SLASHES);

        assertThat(document.ofRename("files", new Path("/a/b"), new Path("/c/d")))
                .isEqualTo(new LockSet(
                        "files",
                        new TreeMap<>(Map.of(
                                new Path("/a/b"), LockMode.EXCLUSIVE,
                                new Path("/c/d"), LockMode.EXCLUSIVE)),
                        LockSet.Extent.TABLES_AND_DOCUMENTS));
        assertThat(document.ofWriter("files", List.of(new Path("/a"))))
                .isEqualTo(tree.ofWriter("files", List.of(new Path("/a"))));
    }

    @Test
    void treeLocksPaths() {
        assertThat(tree.ofRename("files", new Path("/a/b"), new Path("/c")))
                .isEqualTo(LockSet.tree("files", new Path("/a/b"), new Path("/c")));
        assertThat(tree.ofWriter("files", List.of(new Path("/a"))))
                .isEqualTo(LockSet.writing("files", List.of(new Path("/a"))));
    }
}
