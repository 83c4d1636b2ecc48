package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.overview.LockSearch.At;
import org.treerename.overview.LockSearch.Filter;
import org.treerename.overview.LockSearch.Page;
import org.treerename.path.TreePath;
import org.treerename.store.InMemoryControlIndex;

class LockSearchTest {

    private final InMemoryLockStore locks = new InMemoryLockStore(new InMemoryControlIndex());
    private final LockSearch search = new LockSearch(locks);

    /** Attempts to acquire locks for this request, with the hold id {@code hold-REQUEST}. */
    private void attempt(String request, int second, LockSet wanted) {
        locks.take(wanted, new Hold("hold-" + request, "worker-1", new LockPriority(1_000L * second, request)));
    }

    private void locked(String namespace, String... paths) {
        for (String path : paths) {
            LockSet alone = new LockSet(namespace, new TreeMap<>(Map.of(new TreePath(path), LockMode.SHARED)));
            attempt(namespace + path, 1, alone);
        }
    }

    private static LockSet shared(String... directories) {
        return LockSet.ofWriter(
                "files", Stream.of(directories).map(TreePath::new).toList());
    }

    private static LockSet rename(String source, String destination) {
        return LockSet.tree("files", new TreePath(source), new TreePath(destination));
    }

    private List<String> around(String path) {
        return texts(search.find(new Filter.Around("files", new TreePath(path)), null, 100));
    }

    private static List<String> texts(Page page) {
        return page.locks().stream().map(lock -> lock.path().text()).toList();
    }

    /** Returns one list for each page of the locks that match a filter. */
    private List<List<String>> pages(Filter filter, int size) {
        List<List<String>> pages = new ArrayList<>();
        @Nullable At after = null;
        do {
            Page page = search.find(filter, after, size);
            pages.add(texts(page));
            after = page.next();
        } while (after != null);
        return pages;
    }

    @Test
    void finds_the_locks_at_above_and_below_a_path_and_no_others() {
        locked("files", "/", "/a", "/a/b", "/a/b/c", "/a/bc", "/a/b!", "/x");
        locked("others", "/a/b");

        assertThat(around("/a/b")).containsExactly("/", "/a", "/a/b", "/a/b/c");
        assertThat(around("/a/b/c/d")).containsExactly("/", "/a", "/a/b", "/a/b/c");
        assertThat(around("/y")).containsExactly("/");
        assertThat(around("/")).hasSize(7);
    }

    @ParameterizedTest(name = "pages of {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void lists_each_path_once_by_namespace_and_path_page_by_page(int size) {
        attempt("r1", 1, shared("/c", "/a", "/b"));
        attempt("r2", 2, shared("/a/x", "/d", "/a"));
        locked("others", "/a");

        List<List<String>> pages = pages(new Filter.In("files"), size);

        assertThat(pages.stream().flatMap(List::stream)).containsExactly("/a", "/a/x", "/b", "/c", "/d");
        assertThat(pages)
                .hasSize((5 + size - 1) / size)
                .allSatisfy(page -> assertThat(page).hasSizeBetween(1, size));
        assertThat(pages(new Filter.All(), size).stream().flatMap(List::stream))
                .containsExactly("/a", "/a/x", "/b", "/c", "/d", "/a");
    }

    @Test
    void an_empty_store_has_one_empty_page() {
        assertThat(search.find(new Filter.All(), null, 10)).isEqualTo(new Page(List.of(), null));
    }

    @Test
    void shows_the_holds_of_a_path_with_their_modes() {
        attempt("r1", 1, rename("/a/b", "/x"));
        attempt("w1", 2, shared("/a", "/y"));

        assertThat(search.find(new Filter.In("files"), null, 10).locks())
                .extracting(lock -> lock.path() + " " + lock.holds())
                .containsExactly(
                        "/a {hold-w1=" + held("w1", 2, LockMode.SHARED) + "}",
                        "/a/b {hold-r1=" + held("r1", 1, LockMode.EXCLUSIVE) + "}",
                        "/x {hold-r1=" + held("r1", 1, LockMode.EXCLUSIVE) + "}",
                        "/y {hold-w1=" + held("w1", 2, LockMode.SHARED) + "}");
    }

    private static PathLocks.Held held(String request, int second, LockMode mode) {
        return new PathLocks.Held(
                new Hold("hold-" + request, "worker-1", new LockPriority(1_000L * second, request)), mode);
    }

    /** A hold on one path can also block claims on the paths above and below this path. */
    @Test
    void a_claim_waits_for_holds_and_older_claims_above_and_below_its_path() {
        attempt("r1", 1, rename("/a/b", "/x"));
        attempt("r2", 2, rename("/a", "/y"));
        attempt("r3", 3, rename("/a/b/c", "/a/d"));

        assertThat(search.find(new Filter.In("files"), null, 10).locks())
                .flatExtracting(lock -> lock.claims().entrySet().stream()
                        .map(claim -> lock.path() + ": " + claim.getKey() + " waits for "
                                + claim.getValue().waitsFor())
                        .toList())
                .containsExactly(
                        "/a: r2 waits for [r1]", "/a/b/c: r3 waits for [r1, r2]", "/a/d: r3 waits for [r1, r2]");
    }

    @Test
    void a_path_shows_its_locks_from_the_table_of_its_bucket_and_from_that_of_its_document() {
        attempt("r1", 1, rename("/a", "/x"));
        attempt("r2", 2, LockSet.documents("files", List.of(new TreePath("/a"), new TreePath("/a/b"))));

        assertThat(search.find(new Filter.In("files"), null, 10).locks())
                .extracting(lock -> lock.path() + " " + lock.holds().keySet())
                .containsExactly("/a [hold-r1, hold-r2]", "/a/b [hold-r2]", "/x [hold-r1]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, JournalSearch.LARGEST_PAGE + 1})
    void refuses_a_page_that_is_empty_or_too_large(int most) {
        assertThatThrownBy(() -> search.find(new Filter.All(), null, most))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(most));
    }
}
