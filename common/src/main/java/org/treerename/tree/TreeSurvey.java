package org.treerename.tree;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Scan;

/**
 * Reads a whole tree, page by page, for the audit of the tree. Each method throws {@link
 * org.treerename.store.NoAnswerException} if a read is incomplete.
 */
public interface TreeSurvey {

    /** A path and the number of documents with this path. */
    record At(String path, long documents) {}

    /**
     * The documents that lack a path field.
     *
     * @param documents the number of these documents
     * @param ids the ids of the first few documents
     */
    record Pathless(long documents, List<String> ids) {
        public Pathless {
            ids = List.copyOf(ids);
        }
    }

    /**
     * Returns the next page of the paths of documents. Each path occurs once, and the paths of all pages are in one
     * fixed order. Several pages together do not show the tree at one moment. An index that does not exist has no
     * paths.
     *
     * @param after the last path of the previous page; null for the first page. The refresh for the first page begins
     *     after the start of the call
     * @return an empty list at the end
     */
    List<At> paths(Namespace namespace, @Nullable String after);

    /**
     * Returns the given paths that belong to directory documents. The given set may contain at most as many paths as
     * one page.
     */
    Set<String> directories(Namespace namespace, Set<String> paths);

    /** Returns the documents that lack a path field. The refresh begins after the start of the call. */
    Pathless pathless(Namespace namespace);

    /**
     * Opens a scan of the current documents at or below the root. Each returned document has at least the path fields
     * that are computed from its path alone ({@link Namespace#computedFields}). Other fields may be missing, so no
     * document of this scan may be written. The scan is empty if the index does not exist. The refresh begins after the
     * start of the call.
     */
    Scan pathFields(Namespace namespace);

    /**
     * Returns the number of documents at or below a path, by concrete index. An index that has no document at or below
     * the path is left out. The refresh begins after the start of the call.
     */
    Map<String, Long> documents(Namespace namespace, TreePath path);
}
