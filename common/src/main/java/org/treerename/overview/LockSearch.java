package org.treerename.overview;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockDocument;
import org.treerename.path.Path;

/**
 * The lock documents as people look through them, page by page. Any thread may call it; each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface LockSearch {

    /** Which lock documents are wanted. */
    sealed interface Filter {

        record All() implements Filter {}

        record In(String namespace) implements Filter {}

        /** At a path, at each above it, the root too, and below it. */
        record Around(String namespace, Path path) implements Filter {}
    }

    /** Where a lock document is. */
    record At(String namespace, String path) {}

    /**
     * Some of what was asked for, by namespace and path.
     *
     * @param next after which more may follow; null if nothing does
     */
    record Page(List<LockDocument> locks, @Nullable At next) {
        public Page {
            locks = List.copyOf(locks);
        }
    }

    /**
     * The next ones, as a search after a refresh shows them.
     *
     * @param after {@link Page#next} of the page before; null for the first page
     * @param most 1 to {@value JournalSearch#LARGEST_PAGE}
     */
    Page find(Filter filter, @Nullable At after, int most);
}
