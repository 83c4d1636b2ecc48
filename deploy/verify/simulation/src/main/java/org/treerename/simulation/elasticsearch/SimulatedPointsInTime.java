package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.producer.reader.PointsInTime;
import org.treerename.producer.reader.Region;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * Opens points in time of the simulated trees for readers. Searches find only documents that contain a path. A search
 * fails if a shard does not answer.
 */
public final class SimulatedPointsInTime implements PointsInTime {

    /** A query that finds all documents except the documents of outside writers. */
    public static final RawJson OWN = RawJson.of("{\"own\":true}");

    private static final String OTHERS = "outside-";

    private final Wire wire;
    private final Cluster cluster;
    private final SimulatedTreeStore tree;
    private final Map<String, PointInTime> open = new HashMap<>();

    public SimulatedPointsInTime(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
        this.tree = new SimulatedTreeStore(wire, cluster, 1);
    }

    @Override
    public org.treerename.producer.reader.PointInTime open(Namespace namespace, boolean isRefreshed) {
        if (isRefreshed) {
            tree.refresh(namespace);
        }
        PointInTime opened = PointInTime.open(wire, cluster, namespace.index(), "a view of " + namespace.name());
        open.put(String.valueOf(opened.id()), opened);
        return opened(namespace, String.valueOf(opened.id()));
    }

    @Override
    public org.treerename.producer.reader.PointInTime latest(Namespace namespace, boolean isRefreshed) {
        return new Latest(namespace, isRefreshed);
    }

    @Override
    public org.treerename.producer.reader.PointInTime opened(Namespace namespace, String id) {
        return new Opened(
                namespace,
                Objects.requireNonNull(open.get(id), "expected an open point in time " + id + ", found none"));
    }

    /** A document in the result of a search, with its path and the number of its shard. */
    private record Hit(String path, int part, Document document) {

        static final Comparator<Hit> ORDER = Comparator.comparing(Hit::path)
                .thenComparing(Hit::part)
                .thenComparing(hit -> hit.document().ref().id());

        String position() {
            return path + " " + part + " " + document.ref().id();
        }
    }

    /** Searches documents with a point in time or without one. */
    private abstract static class Searching implements org.treerename.producer.reader.PointInTime {
        final Namespace namespace;

        Searching(Namespace namespace) {
            this.namespace = namespace;
        }

        abstract List<Hit> all();

        private List<Hit> hits(@Nullable RawJson query) {
            if (query != null && !query.equals(OWN)) {
                throw new NoAnswerException("400 unknown query " + query, null);
            }
            return all().stream()
                    .filter(hit -> query == null || !hit.document().ref().id().startsWith(OTHERS))
                    .toList();
        }

        @Override
        public Batch read(Reading reading) {
            List<Hit> all = hits(reading.query());
            List<Hit> left = all.stream()
                    .filter(hit -> isIn(reading.region(), hit.document()))
                    .filter(hit -> reading.from() == null || hit.path().compareTo(reading.from()) >= 0)
                    .sorted(Hit.ORDER)
                    .toList();
            int first = reading.after() == null
                    ? 0
                    : 1 + left.stream().map(Hit::position).toList().indexOf(reading.after());
            List<Found> found = left.stream()
                    .skip(first)
                    .limit(reading.most())
                    .map(hit -> new Found(hit.document(), List.of(hit.path()), hit.position()))
                    .toList();
            return new Batch(found, first + found.size() == left.size());
        }

        @Override
        public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
            List<Hit> all = hits(query);
            return groups.stream()
                    .map(regions -> all.stream()
                            .filter(hit -> regions.stream().anyMatch(region -> isIn(region, hit.document())))
                            .count())
                    .toList();
        }

        final List<Hit> hits(int part, String index, Map<String, Shard.Stored> visible) {
            List<Hit> hits = new ArrayList<>();
            visible.forEach((id, stored) -> {
                TreeDocument document = (TreeDocument) stored.value();
                Document.Ref ref = new Document.Ref(index, id, document.routing(), stored.version(), stored.external());
                document.path(namespace)
                        .ifPresent(path -> hits.add(new Hit(path, part, new Document(ref, path, document.source()))));
            });
            return hits;
        }

        private boolean isIn(Region region, Document document) {
            Document.Ref ref = document.ref();
            return isIn(region.part(), document.path())
                    && region.without().stream().noneMatch(part -> isIn(part, document.path()))
                    && region.replacing().stream()
                            .noneMatch(rename -> rename.destination().text().equals(document.path())
                                    && rename.replaced().contains(new Replaced(ref.index(), ref.id())));
        }

        private boolean isIn(Region.Part part, String path) {
            boolean isAt = path.equals(part.path().text());
            boolean isBelow = !isAt && path.startsWith(part.path().prefixOfBelow());
            return switch (part.reach()) {
                case EXACTLY -> isAt;
                case BELOW -> isBelow;
                case AT_OR_BELOW -> isAt || isBelow;
                case DIRECTLY_BELOW ->
                    throw new IllegalArgumentException(
                            "expected a reach other than DIRECTLY_BELOW: the documents have no field for their directory");
            };
        }
    }

    /** Searches without a point in time. Each search sees the documents that are visible when the search runs. */
    private final class Latest extends Searching {
        private final boolean isRefreshed;

        Latest(Namespace namespace, boolean isRefreshed) {
            super(namespace);
            this.isRefreshed = isRefreshed;
        }

        @Override
        List<Hit> all() {
            if (isRefreshed) {
                tree.refresh(namespace);
            }
            List<PointInTime.Part> parts = PointInTime.search(wire, cluster, namespace.index(), namespace.name());
            List<Hit> all = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                PointInTime.Part part = parts.get(i);
                all.addAll(hits(i, part.shard().index(), part.visible()));
            }
            return all;
        }

        @Override
        public String id() {
            throw new UnsupportedOperationException("a search without a point in time has no id");
        }

        @Override
        public void close() {
            // a search without a point in time has nothing to close
        }
    }

    /** Searches the documents of one open point in time. */
    private final class Opened extends Searching {
        private final PointInTime point;

        Opened(Namespace namespace, PointInTime point) {
            super(namespace);
            this.point = point;
        }

        @Override
        @SuppressWarnings("unchecked")
        List<Hit> all() {
            List<Request.Item> items = new ArrayList<>();
            for (int i = 0; i < point.shards(); i++) {
                int part = i;
                items.add(view -> hits(part, point.shard(part).index(), point.visible(view, part)));
            }
            return wire.ask(new Request<>(
                    () -> "searches a view of " + namespace.name(),
                    items,
                    results -> results.stream()
                            .flatMap(found -> ((List<Hit>) Objects.requireNonNull(found)).stream())
                            .toList(),
                    true));
        }

        @Override
        public String id() {
            return String.valueOf(point.id());
        }

        @Override
        public void close() {
            open.remove(id());
            point.close();
        }
    }
}
