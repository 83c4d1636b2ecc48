package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/** Searches, moves and removes the users' documents in the simulated Elasticsearch. */
public class SimulatedTreeStore implements TreeStore {

    /**
     * The parameters of a scan. A scan has a path, a filter for the documents and a page size. In a strict scan, a page
     * fails if a shard does not answer.
     */
    record Reading(
            String what,
            Namespace namespace,
            TreePath path,
            Predicate<String> matching,
            int pageSize,
            boolean isStrict) {

        boolean matches(TreeDocument document) {
            return document.paths(namespace).stream().anyMatch(matching);
        }

        /**
         * Returns the stored document. If the path field is not a single string, the result has the path of the scan.
         */
        Document document(String index, String id, Shard.Stored stored) {
            TreeDocument document = (TreeDocument) stored.value();
            return new Document(
                    new Document.Ref(index, id, document.routing(), stored.version(), stored.external()),
                    document.path(namespace).orElse(path.text()),
                    document.source());
        }
    }

    private static final Version NEVER = new Version(0, 0);

    private final Wire wire;
    private final Cluster cluster;
    private final int pageSize;

    public SimulatedTreeStore(Wire wire, Cluster cluster, int pageSize) {
        this.wire = wire;
        this.cluster = cluster;
        this.pageSize = pageSize;
    }

    /** Returns whether all scans are strict: a page of a strict scan fails if a shard does not answer. */
    protected boolean isStrict() {
        return true;
    }

    /** Returns whether an index is refused if its mapping hides documents from searches. */
    protected boolean needsFitMappings() {
        return true;
    }

    /** Returns whether an index is refused if it acknowledges writes before they are on disk. */
    protected boolean needsWritesOnDisk() {
        return true;
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return wire.ask(Request.ofAnyNode(() -> "reads the indices of " + namespace.name(), view -> {
            if (comparesIndices() && !view.knowsIndices(namespace.index())) {
                throw new NoAnswerException("a node knows other indices than the master", null);
            }
            Map<String, String> indices = view.indices(namespace.index());
            if (indices.isEmpty()) {
                throw new RefusedException("there is no index or alias " + namespace.index());
            }
            if (needsWritesOnDisk() && cluster.indices().acknowledgeEarly(indices.keySet())) {
                throw new RefusedException("an index acknowledges writes before they are on disk");
            }
            if (needsFitMappings() && cluster.indices().isUnfit(indices.keySet())) {
                throw new RefusedException("the mapping of an index hides documents from searches");
            }
            return indices;
        }));
    }

    /** Returns whether a read of the indices fails if the node knows other indices than the master. */
    protected boolean comparesIndices() {
        return true;
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        return new Surroundings(cluster, rename, makeVisible(rename.namespace()), comparesShards()).ask(wire);
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        var unused = makeVisible(namespace);
        return opened(namespace, path, reach);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        return opened(rename.namespace(), rename.source(), Reach.AT_OR_BELOW);
    }

    private Scan opened(Namespace namespace, TreePath path, Reach reach) {
        String what = path + (reach == Reach.AT ? "" : " and below");
        PointInTime pit = PointInTime.open(wire, cluster, namespace.index(), what);
        return new SimulatedScan(wire, pit, reading(what, namespace, path, reach));
    }

    /** Returns whether a search fails if it reads other indices than the refresh before it. */
    protected boolean comparesShards() {
        return true;
    }

    Reading reading(String what, Namespace namespace, TreePath path, Reach reach) {
        Predicate<String> matching = text ->
                text.equals(path.text()) || (reach == Reach.AT_OR_BELOW && text.startsWith(path.prefixOfBelow()));
        return new Reading(what, namespace, path, matching, pageSize, isStrict());
    }

    /** Returns whether a refresh fails if a shard does not answer. */
    protected boolean refreshesAll() {
        return true;
    }

    private Set<String> makeVisible(Namespace namespace) {
        Set<String> indices = Set.copyOf(cluster.indices().concrete(namespace.index()));
        refresh(namespace);
        List<Replicated> shards = cluster.indices().shards(indices);
        if (comparesCopies()) {
            wire.ask(Request.of(
                    () -> "compares the copies of " + namespace.index(),
                    view -> view.compareCopies(namespace.index(), indices, shards)));
        }
        return indices;
    }

    /** Returns whether a request fails if a node searches copies that the master does not list any more. */
    protected boolean comparesCopies() {
        return true;
    }

    /** Makes all writes visible to searches, shard by shard. */
    protected void refresh(Namespace namespace) {
        List<Request.Item> items = new ArrayList<>();
        for (Replicated shard : cluster.indices().shards(namespace.index())) {
            Request.Item item = view -> view.refresh(shard);
            items.add(refreshesAll() ? item : item.orElse(true));
        }
        if (items.isEmpty()) {
            throw new RefusedException("there is no index or alias " + namespace.index());
        }
        wire.ask(new Request<>(() -> "refreshes " + namespace.index(), items, List::size, true));
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return moves.isEmpty() ? List.of() : wire.ask(request(namespace, moves));
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return new SimulatedMoveStream(moves -> wire.begin(request(namespace, moves)));
    }

    private Request<List<Written>> request(Namespace namespace, List<Move> moves) {
        List<Request.Item> items = new ArrayList<>();
        for (Move move : moves) {
            Optional<RawJson> rewritten = PathFields.moved(namespace, move);
            Request.Item item = view -> rewritten.isEmpty()
                    ? new Written.Refused("a path field is not one string")
                    : moved(view, move, rewritten.get());
            items.add(item.orElse(new Written.Unknown("429 es_rejected_execution_exception")));
        }
        return answered(() -> "moves " + moves.stream().map(Move::to).toList(), items);
    }

    private Written moved(View view, Move move, RawJson rewritten) {
        Document.Ref ref = move.document().ref();
        if (cluster.indices().isBlocked(ref.index())) {
            return new Written.Refused("403 cluster_block_exception");
        }
        return cluster.indices()
                .shard(ref.index(), ref.id(), ref.routing())
                .map(shard -> written(write(view, shard, move, new TreeDocument(rewritten, ref.routing()))))
                .orElse(new Written.Refused("404 index_not_found_exception"));
    }

    /** Writes the moved document if its stored version meets the condition of the move. */
    WriteResult write(View view, Replicated shard, Move move, TreeDocument next) {
        return view.write(shard, move.document().ref(), move.condition(), next);
    }

    private static Written written(WriteResult result) {
        return switch (result) {
            case WriteResult.Written written -> new Written.Done();
            case WriteResult.Conflict conflict -> new Written.Unknown("409 version_conflict_engine_exception", true);
        };
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return wire.ask(Request.of(
                () -> "reads the document " + ref.id(),
                view -> cluster.indices()
                        .shard(ref.index(), ref.id(), ref.routing())
                        .flatMap(shard -> view.read(shard, ref.id()))
                        .map(stored -> {
                            TreeDocument document = (TreeDocument) stored.value();
                            return new Document(
                                    new Document.Ref(
                                            ref.index(),
                                            ref.id(),
                                            document.routing(),
                                            stored.version(),
                                            stored.external()),
                                    document.path(namespace).orElse(""),
                                    document.source());
                        })));
    }

    @Override
    public List<Written> remove(List<Removal> removals) {
        List<Request.Item> items = new ArrayList<>();
        for (Removal removal : removals) {
            Document.Ref ref = removal.ref();
            Request.Item item = view -> cluster.indices()
                    .shard(ref.index(), ref.id(), ref.routing())
                    .map(shard -> written(removed(view, shard, removal)))
                    .orElse(new Written.Refused("404 index_not_found_exception"));
            items.add(item.orElse(new Written.Unknown("429 es_rejected_execution_exception")));
        }
        Supplier<String> what = () -> "removes "
                + removals.stream().map(removal -> removal.ref().id()).toList();
        return items.isEmpty() ? List.of() : wire.ask(answered(what, items));
    }

    /** Deletes a document if its stored version meets the condition of the removal. */
    WriteResult removed(View view, Replicated shard, Removal removal) {
        return view.delete(shard, removal.ref(), removal.condition());
    }

    private static Request<List<Written>> answered(Supplier<String> what, List<Request.Item> items) {
        return new Request<>(
                what,
                items,
                results -> results.stream().map(Written.class::cast).toList());
    }

    /** Writes a document without a condition. The document receives the next external version. */
    public void put(String index, String id, TreeDocument document) {
        wire.ask(Request.of(
                () -> "puts " + id,
                view -> view.put(
                        cluster.indices().shard(index, id, document.routing()).orElseThrow(),
                        id,
                        document,
                        cluster.nextExternal())));
    }

    /** Writes a document with this external version, if the stored document has a lower version. */
    WriteResult put(String index, String id, TreeDocument document, long external) {
        Document.Ref ref = new Document.Ref(index, id, document.routing(), NEVER);
        return wire.ask(Request.of(
                () -> "puts " + id,
                view -> view.write(
                        cluster.indices().shard(index, id, document.routing()).orElseThrow(),
                        ref,
                        new Condition.Above(external, false),
                        document)));
    }

    /**
     * Writes a document if its version is still equal to the version that was read. The document receives the next
     * external version.
     */
    public WriteResult edit(Document read, TreeDocument document) {
        return wire.ask(Request.of(() -> "edits " + read.ref().id(), view -> {
            Document.Ref ref = read.ref();
            Replicated shard = cluster.indices()
                    .shard(ref.index(), ref.id(), ref.routing())
                    .orElseThrow();
            return view.write(shard, ref.id(), ref.version(), document, cluster.nextExternal());
        }));
    }
}
