package org.treerename.overview;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;

/**
 * Lists the locks path by path, to show the locks to people. Each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public final class LockSearch {

    /** A selection of locks. */
    public sealed interface Filter {

        /** Selects all locks. */
        record All() implements Filter {}

        /** Selects the locks of one namespace. */
        record In(String namespace) implements Filter {}

        /** Selects the locks at a path, below the path, and at each ancestor of the path including the root. */
        record Around(String namespace, TreePath path) implements Filter {}

        private boolean matches(String namespace, TreePath path) {
            return switch (this) {
                case All all -> true;
                case In in -> in.namespace().equals(namespace);
                case Around around ->
                    around.namespace().equals(namespace)
                            && (path.isAtOrBelow(around.path()) || around.path().isAtOrBelow(path));
            };
        }
    }

    /** A namespace and a path, the sort key of the list of locks. */
    public record At(String namespace, String path) implements Comparable<At> {

        private static final Comparator<At> ORDER =
                Comparator.comparing(At::namespace).thenComparing(At::path);

        @Override
        public int compareTo(At other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A page of the list of locks, sorted by namespace and path.
     *
     * @param next the last position of the page, if more locks may follow; null if this is the last page
     */
    public record Page(List<PathLocks> locks, @Nullable At next) {
        public Page {
            locks = List.copyOf(locks);
        }
    }

    private final LockStore locks;

    public LockSearch(LockStore locks) {
        this.locks = locks;
    }

    /** A path with holds or claims, and the tables that contain the path. */
    private record Found(TreePath path, List<LockTable> tables) {}

    /**
     * Returns the next page of paths with locks. Reads every lock table, but keeps only one page in memory.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of paths, 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    public Page find(Filter filter, @Nullable At after, int most) {
        int size = JournalSearch.requirePage(most);
        TreeMap<At, Found> first = new TreeMap<>();
        locks.each(table -> paths(table).forEach(path -> {
            At at = new At(table.id().namespace(), path.text());
            boolean isAfter = after == null || at.compareTo(after) > 0;
            if (isAfter && filter.matches(at.namespace(), path)) {
                first.computeIfAbsent(at, a -> new Found(path, new ArrayList<>()))
                        .tables()
                        .add(table);
                if (first.size() > size + 1) {
                    first.pollLastEntry();
                }
            }
        }));
        boolean isMore = first.size() > size;
        if (isMore) {
            first.pollLastEntry();
        }
        List<PathLocks> page = new ArrayList<>();
        first.forEach((at, found) -> page.add(PathLocks.of(at.namespace(), found.path(), found.tables())));
        return new Page(page, isMore ? first.lastKey() : null);
    }

    /** Reads the tables of a namespace in real time, except the tables of single documents. */
    List<LockTable> tables(String namespace) {
        return locks.read(LockTable.Id.all(namespace));
    }

    private static Set<TreePath> paths(LockTable table) {
        Set<TreePath> paths = new LinkedHashSet<>();
        table.holds().values().forEach(held -> paths.addAll(held.paths().keySet()));
        table.claims().values().forEach(claim -> paths.addAll(claim.paths().keySet()));
        return paths;
    }
}
