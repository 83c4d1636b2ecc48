package org.treerename.rename;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.TreeStore.Scan;

/**
 * A look over a whole tree, page by page, for people who want to know whether it is one. Any thread may call it. A read that
 * is not complete ends in {@link org.treerename.store.NoAnswerException}.
 */
public interface TreeSurvey {

    /** A path and how many documents stand at it. */
    record At(String path, long documents) {}

    /**
     * Documents that stand nowhere.
     *
     * @param ids of the first few
     */
    record Pathless(long documents, List<String> ids) {
        public Pathless {
            ids = List.copyOf(ids);
        }
    }

    /**
     * The next paths at which documents stand, each once, in one order from page to page. Several pages are no snapshot. An
     * index that is not there has none.
     *
     * @param after the last path of the page before; null for the first page, whose refresh begins after the call
     * @return empty at the end
     */
    List<At> paths(Namespace namespace, @Nullable String after);

    /** Those of some paths at which the document of a directory stands; as many as a page has at most. */
    Set<String> directories(Namespace namespace, Set<String> paths);

    /** The documents that lack a field that says where they stand. The refresh begins after the call. */
    Pathless pathless(Namespace namespace);

    /**
     * Opens a scan of the documents at or below the root as they are now. Each has at least the path fields that follow from
     * its path alone ({@link Namespace#computedFields}); other fields may be missing, so no document of it may be written. The
     * scan is empty if the index does not exist. The refresh begins after the call.
     */
    Scan pathFields(Namespace namespace);

    /**
     * How many documents stand at or below a path, by concrete index; an index without any is left out. The refresh begins
     * after the call.
     */
    Map<String, Long> documents(Namespace namespace, TreePath path);
}
