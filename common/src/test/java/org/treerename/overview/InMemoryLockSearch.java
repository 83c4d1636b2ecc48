package org.treerename.overview;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockDocument;
import org.treerename.path.Path;

/** The lock documents in memory, looked through. */
public record InMemoryLockSearch(InMemoryLockStore locks) implements LockSearch {

    private static final Comparator<At> ORDER =
            Comparator.comparing(At::namespace).thenComparing(At::path);

    @Override
    public Page find(Filter filter, @Nullable At after, int most) {
        int wanted = JournalSearch.requirePage(most);
        List<LockDocument> found = locks.documents().stream()
                .filter(lock -> applies(filter, lock))
                .filter(lock -> after == null || ORDER.compare(at(lock), after) > 0)
                .sorted(Comparator.comparing(InMemoryLockSearch::at, ORDER))
                .limit(wanted)
                .toList();
        return new Page(found, found.size() < wanted ? null : at(found.getLast()));
    }

    private static At at(LockDocument lock) {
        return new At(lock.namespace(), lock.path().text());
    }

    private static boolean applies(Filter filter, LockDocument lock) {
        return switch (filter) {
            case Filter.All all -> true;
            case Filter.In(String namespace) -> lock.namespace().equals(namespace);
            case Filter.Around(String namespace, Path path) ->
                lock.namespace().equals(namespace)
                        && (lock.path().equals(path)
                                || lock.path().equals(path.notation().root())
                                || path.properAncestors().contains(lock.path())
                                || lock.path().text().startsWith(path.prefixOfBelow()));
        };
    }
}
