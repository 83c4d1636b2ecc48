package org.treerename.overview;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.overview.LockSearch.At;
import org.treerename.overview.LockSearch.Filter;
import org.treerename.overview.LockSearch.Page;
import org.treerename.path.Path;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;

/** What every look through the lock documents keeps. */
public abstract class LockSearchContract {

    /** Of this test alone. */
    private final String namespace = "locks-" + UUID.randomUUID();

    protected abstract LockSearch search();

    protected abstract Journal journal();

    private void locked(String in, String... paths) {
        for (String path : paths) {
            JournalEntry entry = Entries.rename(in + path, in, "/a", State.PREPARED, 1);
            LockSet alone = new LockSet(in, new TreeMap<>(Map.of(new Path(path), LockMode.EXCLUSIVE)));
            journal()
                    .prepare(new Journal.Attempt(
                            entry, null, null, new Hold("hold-" + entry.requestId(), "worker-1", entry.age()), alone));
        }
    }

    private List<String> around(String path) {
        return search().find(new Filter.Around(namespace, new Path(path)), null, 100).locks().stream()
                .map(lock -> lock.path().text())
                .toList();
    }

    @Test
    void at_above_and_below_a_path_and_nowhere_else() {
        locked(namespace, "/", "/a", "/a/b", "/a/b/c", "/a/bc", "/a/b!", "/x");
        locked(namespace + "-other", "/a/b");

        assertThat(around("/a/b")).containsExactly("/", "/a", "/a/b", "/a/b/c");
        assertThat(around("/a/b/c/d")).containsExactly("/", "/a", "/a/b", "/a/b/c");
        assertThat(around("/y")).containsExactly("/");
        assertThat(around("/")).hasSize(7);
    }

    @Test
    void those_of_a_namespace_come_by_their_paths_page_by_page() {
        locked(namespace, "/c", "/a", "/b", "/a/x", "/d");

        List<String> paths = new ArrayList<>();
        At after = null;
        do {
            Page page = search().find(new Filter.In(namespace), after, 2);
            page.locks().forEach(lock -> paths.add(lock.path().text()));
            after = page.next();
        } while (after != null);

        assertThat(paths).containsExactly("/a", "/a/x", "/b", "/c", "/d");
    }

    @Test
    void a_lock_document_comes_as_it_is_stored() {
        locked(namespace, "/a");

        assertThat(search().find(new Filter.In(namespace), null, 10).locks())
                .singleElement()
                .satisfies(lock -> {
                    assertThat(lock.namespace()).isEqualTo(namespace);
                    assertThat(lock.holds()).containsOnlyKeys("hold-" + namespace + "/a");
                });
    }

    @Test
    void of_all_namespaces_there_are_those_of_each() {
        locked(namespace, "/a");
        locked(namespace + "-other", "/b");

        List<LockDocument> all = new ArrayList<>();
        At after = null;
        do {
            Page page = search().find(new Filter.All(), after, 1_000);
            all.addAll(page.locks());
            after = page.next();
        } while (after != null);

        assertThat(all).extracting(LockDocument::namespace).contains(namespace, namespace + "-other");
    }
}
