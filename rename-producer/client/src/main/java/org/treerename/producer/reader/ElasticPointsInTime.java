package org.treerename.producer.reader;

import org.treerename.elastic.Elastic;
import org.treerename.namespace.Namespace;
import org.treerename.store.RefusedException;

/** Opens points in time in Elasticsearch. Searches of the latest state need no point in time. */
public final class ElasticPointsInTime implements PointsInTime {

    private final Elastic elastic;
    private final SearchLimits limits;

    public ElasticPointsInTime(Elastic elastic) {
        this(elastic, SearchLimits.NONE);
    }

    public ElasticPointsInTime(Elastic elastic, SearchLimits limits) {
        this.elastic = elastic;
        this.limits = limits;
    }

    @Override
    public PointInTime open(Namespace namespace, boolean isRefreshed) {
        String id = node(namespace, isRefreshed)
                .openPointInTime(namespace.index(), ElasticPointInTime.KEEP_ALIVE)
                .orElseThrow(() -> missing(namespace));
        return new ElasticPointInTime(elastic, namespace, id, limits);
    }

    @Override
    public PointInTime latest(Namespace namespace, boolean isRefreshed) {
        return new ElasticLatest(namespace, elastic, () -> node(namespace, isRefreshed), limits);
    }

    private Elastic node(Namespace namespace, boolean isRefreshed) {
        return isRefreshed ? elastic.refreshed(namespace.index()).orElseThrow(() -> missing(namespace)) : elastic;
    }

    private static RefusedException missing(Namespace namespace) {
        return new RefusedException("there is no index or alias " + namespace.index()
                + "; create it, or correct the definition of the namespace " + namespace.name());
    }

    @Override
    public PointInTime opened(Namespace namespace, String id) {
        return new ElasticPointInTime(elastic, namespace, id, limits);
    }
}
