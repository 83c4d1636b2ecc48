package org.treerename.overview;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;
import org.treerename.path.Path;

/**
 * What stands directly below a path, page by page. Any thread may call it; a read that is not complete ends in {@link
 * org.treerename.store.NoAnswerException}.
 */
public interface TreeListing {

    /** On one page, at most. */
    int LARGEST_PAGE = 1_000;

    /**
     * A path one segment further down, which need not be a {@link Path}.
     *
     * @param documents that stand at it; none where only something below says that it is there
     * @param below how many stand below it
     * @param directory whether something stands below it, or a directory's document at it
     */
    record Child(String path, long documents, long below, boolean directory) {}

    /**
     * Some of them.
     *
     * @param next after which more may follow, to be given back as it is; null if nothing does
     */
    record Page(List<Child> children, @Nullable String next) {
        public Page {
            children = List.copyOf(children);
        }
    }

    /**
     * The next ones, each once, in one order from page to page. Several pages are no snapshot. An index that is not there has
     * none.
     *
     * @param after {@link Page#next} of the page before; null for the first page, whose refresh begins after the call
     * @param most 1 to {@value #LARGEST_PAGE}
     */
    Page below(Namespace namespace, Path directory, @Nullable String after, int most);
}
