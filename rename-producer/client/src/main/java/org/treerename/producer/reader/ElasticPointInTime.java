package org.treerename.producer.reader;

import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Queries;
import org.treerename.elastic.SearchAnswer;
import org.treerename.namespace.Namespace;

/**
 * A point in time in Elasticsearch. If a client continues a view, the id of the point in time comes from this client.
 * Then the id may belong to a point in time of another index. So each search has a filter for the index of the
 * namespace, and never returns a document of another index.
 */
final class ElasticPointInTime extends ElasticViewSearch {

    /** The time for which Elasticsearch keeps the point in time after each request. */
    static final String KEEP_ALIVE = "1m";

    private static final Logger log = LoggerFactory.getLogger(ElasticPointInTime.class);

    private final Elastic elastic;
    private String id;
    private boolean isClosed;

    ElasticPointInTime(Elastic elastic, Namespace namespace, String id, SearchLimits limits) {
        super(namespace, elastic, limits);
        this.elastic = elastic;
        this.id = id;
    }

    @Override
    Query query(Query query) {
        return Queries.all(query, Queries.term("_index", namespace().index()));
    }

    @Override
    String tieBreaker() {
        return "_shard_doc";
    }

    @Override
    Elastic.Answer send(SearchRequestBody.Builder search) {
        search.pit(pit -> pit.id(id).keepAlive(time -> time.time(KEEP_ALIVE)));
        Elastic.Answer answer = post(elastic, "/_search", search);
        if (answer.status() == 404 && isExpired(answer)) {
            throw new ViewExpiredException("Elasticsearch has closed the view of "
                    + namespace().name() + ", because no request used the view for " + KEEP_ALIVE
                    + "; request the first page again");
        }
        return answer;
    }

    @Override
    void answered(SearchAnswer answer) {
        String next = answer.pitId();
        if (next != null) {
            id = next;
        }
    }

    private static boolean isExpired(Elastic.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8).contains("search_context_missing_exception");
    }

    @Override
    public String id() {
        return id;
    }

    /**
     * Closes the point in time. A failure is only logged, because Elasticsearch also closes the point in time after the
     * keep-alive time.
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            elastic.closePointInTime(id);
        } catch (RuntimeException e) {
            log.debug(
                    "a point in time of {} was not closed: {}; Elasticsearch closes it after {}",
                    namespace().index(),
                    e.getMessage(),
                    KEEP_ALIVE);
        }
    }
}
