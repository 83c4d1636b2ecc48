package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;

/**
 * Reads the documents around the source and the destination of a rename. One request contains several searches. Each
 * search reads shard by shard.
 */
final class Surroundings {

    private final Rename rename;
    private final Namespace namespace;
    private final Set<String> refreshed;
    private final List<Replicated> shards;
    private final List<Request.Item> items = new ArrayList<>();

    /** @param comparesShards whether a search fails if it reads other indices than the refresh before it */
    Surroundings(Cluster cluster, Rename rename, Set<String> refreshed, boolean comparesShards) {
        this.rename = rename;
        this.namespace = rename.namespace();
        Set<String> indices = Set.copyOf(cluster.indices().concrete(namespace.index()));
        if (comparesShards && !indices.equals(refreshed)) {
            throw new NoAnswerException("the indices behind " + namespace.index() + " have changed", null);
        }
        this.refreshed = refreshed;
        this.shards = cluster.indices().shards(indices);
    }

    TreeSnapshot ask(Wire wire) {
        List<TreePath> ancestors = rename.destination().properAncestors();
        Set<String> asked = new HashSet<>(Set.of(rename.source().text()));
        asked.add(rename.destination().text());
        ancestors.forEach(path -> asked.add(path.text()));
        search(text -> text.equals(rename.source().text()));
        search(asked::contains);
        search(below(rename.source()));
        search(below(rename.destination()));
        return wire.ask(new Request<>(
                () -> "examines the documents around " + rename.source() + " and " + rename.destination(),
                items,
                this::snapshot,
                true));
    }

    private static Predicate<String> below(TreePath path) {
        return text -> text.startsWith(path.prefixOfBelow());
    }

    private void search(Predicate<String> matches) {
        TreeStoreReading reading = new TreeStoreReading(namespace, rename.source());
        for (Replicated shard : shards) {
            items.add(view -> {
                List<Document> found = new ArrayList<>();
                view.visible(shard).forEach((id, stored) -> {
                    TreeDocument document = (TreeDocument) stored.value();
                    if (document.paths(namespace).stream().anyMatch(matches)) {
                        found.add(reading.document(shard.index(), id, stored));
                    }
                });
                return found;
            });
        }
    }

    /** Converts stored documents to {@link Document}s, as a scan of the tree store does. */
    private record TreeStoreReading(Namespace namespace, TreePath path) {
        Document document(String index, String id, Shard.Stored stored) {
            return new SimulatedTreeStore.Reading("", namespace, path, text -> true, 1, true)
                    .document(index, id, stored);
        }
    }

    private TreeSnapshot snapshot(List<@Nullable Object> results) {
        List<Document> below = found(results, 2);
        return new TreeSnapshot(
                        found(results, 1).stream().map(this::existing).toList(),
                        found(results, 0),
                        below.size(),
                        !found(results, 3).isEmpty(),
                        longest(below))
                .withImmovable(below.stream()
                        .filter(document ->
                                PathFields.path(namespace, document.source()).isEmpty())
                        .map(document -> document.ref().id() + ": " + PathFields.NOT_ONE_PATH)
                        .toList())
                .seenAt(refreshed, "");
    }

    @SuppressWarnings("unchecked")
    private List<Document> found(List<@Nullable Object> results, int search) {
        return results.subList(search * shards.size(), (search + 1) * shards.size()).stream()
                .flatMap(part -> ((List<Document>) Objects.requireNonNull(part)).stream())
                .toList();
    }

    private Existing existing(Document document) {
        TreeDocument read = new TreeDocument(document.source(), null);
        String path = read.path(namespace)
                .orElseThrow(() -> new RefusedException(
                        "the path of document " + document.ref().id() + " is not one string"));
        boolean directory = namespace
                .directoryDocuments()
                .filter(directories -> directories.value().equals(read.text(directories.field())))
                .isPresent();
        return new Existing(document.ref(), namespace.notation().path(path), directory);
    }

    private Longest longest(List<Document> below) {
        boolean inLength =
                points(rename.destination().text()) > points(rename.source().text());
        boolean inDepth = rename.destination().segments().size()
                > rename.source().segments().size();
        return new Longest(
                inLength ? most(below, Surroundings::points) : 0,
                inDepth ? most(below, namespace.notation()::depthOf) : 0);
    }

    private static int most(List<Document> documents, ToIntFunction<String> measure) {
        return documents.stream().map(Document::path).mapToInt(measure).max().orElse(0);
    }

    private static int points(String text) {
        return text.codePointCount(0, text.length());
    }
}
