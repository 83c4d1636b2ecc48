package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.PathFields;
import org.treerename.store.RefusedException;

/** Finds the documents at several paths of one tree by one search. */
final class PathSearch {

    /** What a search finds at most; Elasticsearch's default limit. */
    private static final int MOST = 10_000;

    /** Documents of one path. More than these have the same path only by mistake; the passes find them. */
    private static final int MOST_WHOLE = 100;

    private final Namespace namespace;
    private final boolean isWhole;
    private final SortedSet<TreePath> paths = new TreeSet<>();

    /**
     * Creates one without paths.
     *
     * @param isWhole whether the documents come whole, or only with the fields that have the path and the kind
     */
    PathSearch(Namespace namespace, boolean isWhole) {
        this.namespace = namespace;
        this.isWhole = isWhole;
    }

    void add(TreePath path) {
        paths.add(path);
    }

    ObjectNode search() {
        ObjectNode search = Json.object().put("size", size()).put("track_total_hits", true);
        search.putArray("sort").add("_doc");
        Queries.versions(search, namespace);
        if (isWhole) {
            Queries.whole(search);
        } else {
            ArrayNode fields = search.putArray("_source");
            namespace.fields().saying().forEach(fields::add);
            namespace.directoryDocuments().ifPresent(directories -> fields.add(directories.field()));
        }
        search.set("query", Queries.atOneOf(namespace, paths));
        return search;
    }

    /**
     * Returns the documents by their paths.
     *
     * @throws RefusedException if there are too many, or one of them does not say one path
     */
    Map<String, List<SearchAnswer.Hit>> read(SearchAnswer answer) {
        if (answer.total() > (size() == MOST_WHOLE ? MOST : answer.hits().size())) {
            throw new RefusedException("more than " + MOST + " documents stand at " + paths
                    + "; a path is for one document, delete the others or give them paths of their own");
        }
        Map<String, List<SearchAnswer.Hit>> found = new HashMap<>();
        paths.forEach(path -> found.put(path.text(), new ArrayList<>()));
        for (SearchAnswer.Hit hit : answer.hits()) {
            String path = PathFields.path(namespace, hit.source())
                    .orElseThrow(() -> new RefusedException(
                            "the path of document " + hit.ref().id() + " is not one string"));
            // a search by directory and name matches the directory of one path with the name of another, too
            List<SearchAnswer.Hit> there = found.get(path);
            if (there != null) {
                there.add(hit);
            }
        }
        return found;
    }

    private int size() {
        return isWhole && paths.size() == 1 ? MOST_WHOLE : MOST;
    }
}
