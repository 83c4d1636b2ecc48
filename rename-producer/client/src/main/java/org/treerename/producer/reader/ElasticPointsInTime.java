package org.treerename.producer.reader;

import org.treerename.elastic.Elastic;
import org.treerename.elastic.Json;
import org.treerename.namespace.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Opens points in time of Elasticsearch, and searches without a point in time. */
public final class ElasticPointsInTime implements PointsInTime {

    private final Elastic elastic;

    public ElasticPointsInTime(Elastic elastic) {
        this.elastic = elastic;
    }

    @Override
    public PointInTime open(Namespace namespace, boolean isRefreshed) {
        Elastic.Answer answer = node(namespace, isRefreshed)
                .post("/" + namespace.index() + "/_pit?keep_alive=" + ElasticPointInTime.KEEP_ALIVE
                        + "&allow_partial_search_results=false");
        requireIndex(namespace, answer);
        return new ElasticPointInTime(
                elastic, namespace, Json.field(answer.json(), "id").asText());
    }

    @Override
    public PointInTime latest(Namespace namespace, boolean isRefreshed) {
        return new ElasticLatest(namespace, elastic, () -> node(namespace, isRefreshed));
    }

    private Elastic node(Namespace namespace, boolean isRefreshed) {
        return isRefreshed ? refreshed(namespace) : elastic;
    }

    private Elastic refreshed(Namespace namespace) {
        Elastic.Answer answer = elastic.post("/" + namespace.index() + "/_refresh");
        requireIndex(namespace, answer);
        if (answer.json().path("_shards").path("failed").asInt(-1) != 0) {
            throw new NoAnswerException("the refresh of " + namespace.index() + " failed: " + answer.json(), null);
        }
        return elastic.at(answer);
    }

    private static void requireIndex(Namespace namespace, Elastic.Answer answer) {
        if (answer.status() == 404) {
            throw new RefusedException("there is no index or alias " + namespace.index());
        }
        if (!answer.isOk()) {
            throw new NoAnswerException("a request to " + namespace.index() + " failed" + ": " + answer.json(), null);
        }
    }

    @Override
    public PointInTime opened(Namespace namespace, String id) {
        return new ElasticPointInTime(elastic, namespace, id);
    }
}
