package org.treerename.simulation.elasticsearch;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;

/** A simulated tree store with one guard switched off. */
public final class CarelessTreeStore extends SimulatedTreeStore {

    /** The guard that is switched off. Each description states the behaviour without the guard. */
    public enum Without {
        /** A page without the answers of all shards is treated as complete. */
        STRICT_PAGES,
        /** A search runs without a refresh. */
        REFRESH,
        /** A refresh that does not reach all shards is treated as complete. */
        REFRESH_OF_EVERY_SHARD,
        /** No request checks whether a node searches copies that the master does not list any more. */
        COMPARISON_OF_COPIES,
        /** A read of the indices does not check whether the node knows the same indices as the master. */
        INDICES_OF_THE_MASTER,
        /** No request checks whether a search reads as many shards as the refresh before it. */
        NUMBER_OF_SHARDS,
        /** A snapshot is treated as a snapshot of all indices. */
        INDICES_OF_THE_SNAPSHOT,
        /** A document is written without a check of its version. */
        VERSION_OF_THE_MOVE,
        /** A document is written without a check of its version if another system gives versions to the documents. */
        EXTERNAL_VERSION,
        /** A document is deleted without a check of its version. */
        VERSION_OF_THE_REMOVAL,
        /** A search below {@code /a} also finds {@code /ab}, because both paths begin with the same text. */
        SEGMENT_BOUNDARY,
        /** A rename moves documents in an index that acknowledges writes before they are on disk. */
        WRITES_ON_DISK,
        /** A rename uses an index whose mapping hides documents from searches. */
        FIT_MAPPINGS
    }

    private final Set<Without> without;

    public CarelessTreeStore(Wire wire, Cluster cluster, int pageSize, Without without) {
        super(wire, cluster, pageSize);
        this.without = EnumSet.of(without);
    }

    @Override
    protected boolean comparesShards() {
        return !without.contains(Without.NUMBER_OF_SHARDS);
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        TreeSnapshot snapshot = super.examine(rename);
        return without.contains(Without.INDICES_OF_THE_SNAPSHOT)
                ? snapshot.seenAt(indices(rename.namespace()).keySet(), "")
                : snapshot;
    }

    @Override
    protected boolean isStrict() {
        return !without.contains(Without.STRICT_PAGES);
    }

    @Override
    protected boolean refreshesAll() {
        return !without.contains(Without.REFRESH_OF_EVERY_SHARD);
    }

    @Override
    protected boolean comparesCopies() {
        return !without.contains(Without.COMPARISON_OF_COPIES);
    }

    @Override
    protected boolean comparesIndices() {
        return !without.contains(Without.INDICES_OF_THE_MASTER);
    }

    @Override
    protected boolean needsWritesOnDisk() {
        return !without.contains(Without.WRITES_ON_DISK);
    }

    @Override
    protected boolean needsFitMappings() {
        return !without.contains(Without.FIT_MAPPINGS);
    }

    @Override
    protected void refresh(Namespace namespace) {
        if (!without.contains(Without.REFRESH)) {
            super.refresh(namespace);
        }
    }

    @Override
    WriteResult write(View view, Replicated shard, Move move, TreeDocument next) {
        boolean isExternal = move.condition() instanceof Condition.Above;
        return without.contains(isExternal ? Without.EXTERNAL_VERSION : Without.VERSION_OF_THE_MOVE)
                ? view.put(shard, move.document().ref().id(), next)
                : super.write(view, shard, move, next);
    }

    @Override
    WriteResult removed(View view, Replicated shard, Removal removal) {
        if (!without.contains(Without.VERSION_OF_THE_REMOVAL)) {
            return super.removed(view, shard, removal);
        }
        Document.Ref ref = removal.ref();
        return view.read(shard, ref.id())
                .map(found -> view.delete(shard, ref.id(), found.version()))
                .orElse(new WriteResult.Conflict());
    }

    @Override
    Reading reading(String what, Namespace namespace, TreePath path, Reach reach) {
        Reading exact = super.reading(what, namespace, path, reach);
        Predicate<String> begins = text -> text.startsWith(path.text());
        return without.contains(Without.SEGMENT_BOUNDARY) && reach == Reach.AT_OR_BELOW
                ? new Reading(what, namespace, path, begins, exact.pageSize(), exact.isStrict())
                : exact;
    }
}
