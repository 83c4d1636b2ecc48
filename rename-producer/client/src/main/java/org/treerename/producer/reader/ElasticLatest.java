package org.treerename.producer.reader;

import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic;
import org.treerename.namespace.Namespace;

/** Searches an index without a point in time. Each search shows the index at a different moment. */
final class ElasticLatest extends ElasticViewSearch {

    private final Supplier<Elastic> node;

    /**
     * @param elastic a client of the servers that receive the searches
     * @param node called before each search; returns the client of the node that receives the search
     */
    ElasticLatest(Namespace namespace, Elastic elastic, Supplier<Elastic> node, SearchLimits limits) {
        super(namespace, elastic, limits);
        this.node = node;
    }

    @Override
    @Nullable
    String tieBreaker() {
        return null;
    }

    @Override
    Elastic.Answer send(SearchRequestBody.Builder search) {
        return post(node.get(), "/" + namespace().index() + "/_search", search);
    }

    @Override
    public String id() {
        throw new UnsupportedOperationException(
                "a search without a point in time has no id, so another process cannot continue the search");
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
