package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;

/** Searches of an index without a point in time. Each of them shows another moment. */
final class ElasticLatest extends ElasticViewSearch {

    private final Supplier<Elastic> node;

    /**
     * @param node returns the node to ask, before each search
     */
    ElasticLatest(Namespace namespace, Supplier<Elastic> node) {
        super(namespace);
        this.node = node;
    }

    @Override
    @Nullable
    String tieBreaker() {
        return null;
    }

    @Override
    Elastic.Answer send(ObjectNode body) {
        return node.get()
                .post("/" + namespace().index() + "/_search?allow_partial_search_results=false", body, MOST_BYTES);
    }

    @Override
    public String id() {
        throw new UnsupportedOperationException("no other process can go on with a search");
    }

    @Override
    public void close() {
        // nothing is open
    }
}
