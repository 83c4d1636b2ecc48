package org.treerename.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/**
 * A decorator that forwards each call to another tree store, except {@link #moves}. By default, a stream of moves sends
 * each request with {@link #move} of the decorator, so every move passes through the decorator.
 */
public interface ForwardingTreeStore extends TreeStore {

    TreeStore tree();

    @Override
    default Map<String, String> indices(Namespace namespace) {
        return tree().indices(namespace);
    }

    @Override
    default TreeSnapshot examine(Rename rename) {
        return tree().examine(rename);
    }

    @Override
    default Scan scan(Namespace namespace, TreePath path, Reach reach) {
        return tree().scan(namespace, path, reach);
    }

    @Override
    default Scan open(Rename rename, TreeSnapshot snapshot) {
        return tree().open(rename, snapshot);
    }

    @Override
    default List<Written> move(Namespace namespace, List<Move> moves) {
        return tree().move(namespace, moves);
    }

    @Override
    default List<Written> remove(List<Removal> removals) {
        return tree().remove(removals);
    }

    @Override
    default Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return tree().read(namespace, ref);
    }
}
