package org.treerename.elastic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Uses a store of its own for each tree. Each of these stores has its own connections, and its own groups of threads
 * that share requests. So a tree that does not answer, or answers slowly, delays no other tree.
 */
public final class SeparateTrees implements TreeStore {

    private final Supplier<TreeStore> stores;
    private final Map<String, TreeStore> byIndex = new ConcurrentHashMap<>();

    /** @param stores returns a new store for each index or alias */
    public SeparateTrees(Supplier<TreeStore> stores) {
        this.stores = stores;
    }

    private TreeStore of(String index) {
        return byIndex.computeIfAbsent(index, name -> stores.get());
    }

    private TreeStore of(Namespace namespace) {
        return of(namespace.index());
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return of(namespace).indices(namespace);
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        return of(rename.namespace()).examine(rename);
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        return of(namespace).scan(namespace, path, reach);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        return of(rename.namespace()).open(rename, snapshot);
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return of(namespace).moves(namespace);
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return of(namespace).move(namespace, moves);
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return of(namespace).read(namespace, ref);
    }

    /** Deletes documents of one tree. The key of their store is a concrete index, which no other tree contains. */
    @Override
    public List<Written> remove(List<Removal> removals) {
        return removals.isEmpty()
                ? List.of()
                : of(removals.getFirst().ref().index()).remove(removals);
    }
}
