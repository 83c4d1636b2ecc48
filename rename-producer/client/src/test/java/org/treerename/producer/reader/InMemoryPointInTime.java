package org.treerename.producer.reader;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.producer.reader.Region.Part;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

/**
 * A point in time of documents in memory. Each read returns a small batch. A query selects documents by their ids: the
 * query is either a prefix of the ids, or JSON that contains the ids.
 */
final class InMemoryPointInTime implements PointInTime {

    private record Kept(Document document, List<String> key) {}

    private static final Comparator<String> UTF_8 = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    private final Namespace namespace;
    private final List<Kept> documents = new ArrayList<>();
    private final int batch;
    boolean isClosed;
    int reads;

    /** The numbers of documents that the reads requested. */
    final List<Integer> requested = new ArrayList<>();

    InMemoryPointInTime(Namespace namespace, List<Document> documents, int batch) {
        this.namespace = namespace;
        this.batch = batch;
        documents.forEach(document -> this.documents.add(new Kept(document, key(document.path()))));
        this.documents.sort(Comparator.comparing((Kept kept) -> kept.key().getFirst(), UTF_8)
                .thenComparing(kept -> kept.key().getLast(), UTF_8)
                .thenComparing(kept -> kept.document().ref().id()));
    }

    private List<String> key(String path) {
        return namespace.fields().holds() == Holds.DIRECTORY
                ? List.of(
                        namespace.notation().parentOf(path),
                        namespace.notation().nameOf(path))
                : List.of(path);
    }

    @Override
    public Batch read(Reading reading) {
        reads++;
        requested.add(reading.most());
        List<Found> found = new ArrayList<>();
        int from = reading.after() == null ? 0 : Integer.parseInt(reading.after()) + 1;
        int most = Math.min(batch, reading.most());
        for (int i = from; i < documents.size(); i++) {
            Kept kept = documents.get(i);
            String least = reading.from();
            if ((least == null || UTF_8.compare(kept.key().getFirst(), least) >= 0)
                    && isIn(reading.region(), kept, reading.query())) {
                if (found.size() == most) {
                    return new Batch(found, false);
                }
                found.add(new Found(kept.document(), kept.key(), String.valueOf(i)));
            }
        }
        return new Batch(found, true);
    }

    @Override
    public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
        return groups.stream()
                .map(regions -> documents.stream()
                        .filter(kept -> regions.stream().anyMatch(region -> isIn(region, kept, query)))
                        .count())
                .toList();
    }

    private boolean isIn(Region region, Kept kept, @Nullable RawJson query) {
        Document.Ref ref = kept.document().ref();
        String path = kept.document().path();
        return isIn(region.part(), path)
                && region.without().stream().noneMatch(part -> isIn(part, path))
                && region.replacing().stream()
                        .noneMatch(rename -> rename.destination().text().equals(path)
                                && rename.replaced().contains(new CommittedRename.Replaced(ref.index(), ref.id())))
                && (query == null || isMatched(ref.id(), query.toString()));
    }

    private static boolean isMatched(String id, String query) {
        return query.startsWith("{") ? query.contains("\"" + id + "\"") : id.startsWith(query);
    }

    private boolean isIn(Part part, String path) {
        boolean isAt = path.equals(part.path().text());
        boolean isBelow = !isAt && path.startsWith(part.path().prefixOfBelow());
        return switch (part.reach()) {
            case EXACTLY -> isAt;
            case BELOW -> isBelow;
            case AT_OR_BELOW -> isAt || isBelow;
            case DIRECTLY_BELOW ->
                isBelow
                        && namespace
                                .notation()
                                .parentOf(path)
                                .equals(part.path().text());
        };
    }

    @Override
    public String id() {
        return "point in time";
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
