package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;

final class ConflictIndexTest {

    private final ConflictIndex<String> index = new ConflictIndex<>();

    private static Footprint locks(String source, String destination) {
        return new Footprint.Locks(LockSet.tree("files", new TreePath(source), new TreePath(destination)));
    }

    private static Footprint unknown(String namespace) {
        return new Footprint.Unknown(namespace);
    }

    @Test
    void finds_the_requests_that_conflict() {
        index.add("a", locks("/a/x", "/b/x"));
        index.add("c", locks("/c", "/d"));

        assertThat(index.add("both", locks("/a", "/d"))).containsExactlyInAnyOrder("a", "c");
        assertThat(index.add("none", locks("/e", "/f"))).isEmpty();
        assertThat(index.add("nothing", new Footprint.Nothing())).isEmpty();
    }

    @Test
    void a_request_represents_the_one_before_it_with_the_same_locks() {
        index.add("first", locks("/a", "/b"));
        index.add("second", locks("/b", "/a"));

        assertThat(index.add("third", locks("/a", "/b"))).containsExactly("second");
    }

    @Test
    void the_end_of_a_represented_request_leaves_the_one_that_represents_it() {
        index.add("first", locks("/a", "/b"));
        index.add("second", locks("/a", "/b"));
        index.remove("first", locks("/a", "/b"));

        assertThat(index.add("third", locks("/a", "/c"))).containsExactly("second");
    }

    @Test
    void a_request_without_known_locks_conflicts_with_its_whole_namespace_and_represents_it() {
        index.add("a", locks("/a", "/b"));
        index.add("c", locks("/c", "/d"));

        assertThat(index.add("other", unknown("other"))).isEmpty();
        assertThat(index.add("unknown", unknown("files"))).containsExactlyInAnyOrder("a", "c");
        assertThat(index.add("next", unknown("files"))).containsExactly("unknown");
        assertThat(index.add("after", locks("/a", "/b"))).containsExactly("next");
    }

    @Test
    void is_empty_when_all_requests_have_ended() {
        index.add("a", locks("/a", "/b"));
        index.add("again", locks("/a", "/b"));
        index.add("unknown", unknown("files"));
        index.add("c", locks("/c", "/d"));
        index.remove("a", locks("/a", "/b"));
        index.remove("again", locks("/a", "/b"));
        index.remove("unknown", unknown("files"));
        boolean isEmptyTooEarly = index.isEmpty();
        index.remove("c", locks("/c", "/d"));

        assertThat(isEmptyTooEarly).isFalse();
        assertThat(index.isEmpty()).isTrue();
    }
}
