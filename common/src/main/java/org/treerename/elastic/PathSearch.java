package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.RefusedException;
import org.treerename.tree.PathFields;

/** Builds one search for the documents at several paths of one tree, and reads the answer. */
final class PathSearch {

    /** The maximum number of documents that a search returns. This maximum is the default limit of Elasticsearch. */
    private static final int MOST = 10_000;

    /** Each path should have only one document. If more have it, the passes of the rename find the rest. */
    private static final int MOST_WHOLE = 100;

    private final Namespace namespace;
    private final boolean isWhole;
    private final SortedSet<TreePath> paths = new TreeSet<>();

    /**
     * Creates a search without paths.
     *
     * @param isWhole true if the search returns whole documents; false if it returns only the fields that contain the
     *     path or the kind of a document
     */
    PathSearch(Namespace namespace, boolean isWhole) {
        this.namespace = namespace;
        this.isWhole = isWhole;
    }

    void add(TreePath path) {
        paths.add(path);
    }

    /** Returns the body of the search that {@code elastic} will send. */
    SearchRequestBody search(Elastic elastic) {
        SearchRequestBody.Builder search = new SearchRequestBody.Builder()
                .size(size())
                .trackTotalHits(total -> total.enabled(true))
                .sort(sort -> sort.doc(doc -> doc))
                .query(Queries.atOneOf(namespace, paths));
        Queries.versions(search, namespace);
        if (isWhole) {
            Queries.whole(search, elastic);
        } else {
            Queries.pathFields(search, namespace);
        }
        return search.build();
    }

    /**
     * Returns the documents in the answer, grouped by path.
     *
     * @throws RefusedException if more than 10,000 documents match, or if the path of a document is not one string
     */
    Map<String, List<SearchAnswer.Hit>> read(SearchAnswer answer) {
        if (answer.total() > (size() == MOST_WHOLE ? MOST : answer.hits().size())) {
            throw new RefusedException("more than " + MOST + " documents are at " + paths
                    + "; a path must have only one document; delete the other documents or change their paths");
        }
        Map<String, List<SearchAnswer.Hit>> found = new HashMap<>();
        paths.forEach(path -> found.put(path.text(), new ArrayList<>()));
        for (SearchAnswer.Hit hit : answer.hits()) {
            String path = PathFields.path(namespace, hit.source())
                    .orElseThrow(() -> new RefusedException("expected one string as the path of document "
                            + hit.ref().id() + ", found none or several values; no rename moves a document with several"
                            + " paths; write one path into its path field"));
            // a document with the directory of one path and the name of another path is at none of the requested paths
            List<SearchAnswer.Hit> atPath = found.get(path);
            if (atPath != null) {
                atPath.add(hit);
            }
        }
        return found;
    }

    private int size() {
        return isWhole && paths.size() == 1 ? MOST_WHOLE : MOST;
    }
}
