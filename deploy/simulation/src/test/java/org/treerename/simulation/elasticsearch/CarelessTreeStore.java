package org.treerename.simulation.elasticsearch;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;
import org.treerename.rename.Condition;
import org.treerename.rename.Document;
import org.treerename.store.WriteResult;

/** A tree store that leaves some of its care away. */
public final class CarelessTreeStore extends SimulatedTreeStore {

    /** What it leaves away. */
    public enum Without {
        /** It takes a page that lacks a shard for whole. */
        STRICT_PAGES,
        /** It searches what happens to be visible. */
        REFRESH,
        /** It takes a refresh that lacks a shard for whole. */
        REFRESH_OF_EVERY_SHARD,
        /** It searches at a node that asks copies which the master has taken out. */
        COMPARISON_OF_COPIES,
        /** It writes a document in whatever version it is. */
        VERSION_OF_THE_MOVE,
        /** It writes a document in whatever version it is where another system gives the versions. */
        EXTERNAL_VERSION,
        /** It deletes a document in whatever version it is. */
        VERSION_OF_THE_REMOVAL,
        /** It finds what only begins with the path. */
        SEGMENT_BOUNDARY
    }

    private final Set<Without> without;

    public CarelessTreeStore(Wire wire, Cluster cluster, int pageSize, Without without) {
        super(wire, cluster, pageSize);
        this.without = EnumSet.of(without);
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
