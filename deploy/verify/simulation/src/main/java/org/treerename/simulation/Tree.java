package org.treerename.simulation;

import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.simulation.elasticsearch.Cluster;

/**
 * A tree of a run. If a run has two trees, the trees contain documents with the same paths and ids.
 *
 * @param layout the indices and the routing of the documents
 * @param prefix the prefix of the ids of the requests for this tree; empty for the main tree
 */
record Tree(Namespace namespace, Layout layout, String prefix) {

    /** The prefix of the ids of the requests for the second tree. */
    static final String SECOND = "second-";

    boolean isSecond() {
        return !prefix.isEmpty();
    }

    /** Returns whether this id belongs to a request, or to a hold of a writer, in this tree. */
    boolean hasRequest(String requestId) {
        return requestId.startsWith(SECOND) == isSecond();
    }

    boolean hasIndex(String index) {
        return layout.indices().contains(index);
    }

    /** Returns all documents of this tree that the primary shards contain. */
    List<Cluster.StoredDocument> documents(Cluster cluster) {
        return cluster.trees(layout.indices());
    }
}
