package org.treerename.simulation;

import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.simulation.elasticsearch.Cluster;

/**
 * A tree of a run. If a run has two trees, the trees contain documents with the same paths and ids.
 *
 * @param layout the indices and the routing of the documents
 * @param prefix the prefix of the ids of the tree's requests; empty for the main tree, which writers and operators use
 *     as well
 */
record Tree(Namespace namespace, Layout layout, String prefix) {

    /** The prefix of the requests of the second tree. */
    static final String SECOND = "second-";

    boolean isSecond() {
        return !prefix.isEmpty();
    }

    /** Returns whether the request or the writer's hold with this id belongs to this tree. */
    boolean hasRequest(String requestId) {
        return requestId.startsWith(SECOND) == isSecond();
    }

    boolean hasIndex(String index) {
        return layout.indices().contains(index);
    }

    /** Returns every document of the tree, as the primaries contain it. */
    List<Cluster.StoredDocument> documents(Cluster cluster) {
        return cluster.trees(layout.indices());
    }
}
