package org.treerename.producer.reader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * Points in time of documents in memory. Refuses a closed point in time, and a query that contains {@code nonsense}.
 */
public final class InMemoryPointsInTime implements PointsInTime {

    private final List<Document> documents = new ArrayList<>();
    private final Map<String, InMemoryPointInTime> opened = new HashMap<>();

    /** The exception that each read throws; null if there is none. */
    public volatile @Nullable RuntimeException failure;

    /** Adds a document to the tree in which slashes separate the names of a path. */
    public void put(String id, String path) {
        documents.add(new Document(
                new Document.Ref("files-1", id, null, new Version(1, 1)),
                path,
                RawJson.of("{\"path\":\"" + path + "\"}")));
    }

    @Override
    public synchronized PointInTime open(Namespace namespace, boolean isRefreshed) {
        String id = "point-" + opened.size();
        opened.put(id, new InMemoryPointInTime(namespace, documents, 10));
        return opened(namespace, id);
    }

    @Override
    public synchronized PointInTime latest(Namespace namespace, boolean isRefreshed) {
        return new Checked(this, new InMemoryPointInTime(namespace, documents, 10), "latest");
    }

    /** Closes all points in time, as Elasticsearch does after the keep-alive time. */
    public synchronized void expire() {
        opened.values().forEach(InMemoryPointInTime::close);
    }

    /** Returns the number of open points in time. */
    public synchronized long open() {
        return opened.values().stream().filter(point -> !point.isClosed).count();
    }

    @Override
    public synchronized PointInTime opened(Namespace namespace, String id) {
        InMemoryPointInTime point = opened.get(id);
        if (point == null) {
            throw new RefusedException("POST /_search answered 400: no such point in time");
        }
        return new Checked(this, point, id);
    }

    private record Checked(InMemoryPointsInTime all, InMemoryPointInTime point, String id) implements PointInTime {

        @Override
        public Batch read(Reading reading) {
            check(reading.query());
            return point.read(reading);
        }

        @Override
        public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
            check(query);
            return point.count(groups, query);
        }

        private void check(@Nullable RawJson query) {
            RuntimeException thrown = all.failure;
            if (thrown != null) {
                throw thrown;
            }
            if (point.isClosed) {
                throw new ViewExpiredException("the view is closed");
            }
            if (query != null && query.toString().contains("nonsense")) {
                throw new RefusedException("POST /_search answered 400: unknown query [nonsense]");
            }
        }

        @Override
        public void close() {
            point.close();
        }
    }
}
