package org.treerename.simulation;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Passes calls to a tree store, as long as the tree is not silent. While the tree is silent, each call waits for the
 * timeout and gets no answer, as for an index without a primary shard.
 *
 * @param isSilent whether the second tree is silent now
 * @param timeout waits for the timeout of a request
 */
record SilentTree(TreeStore tree, BooleanSupplier isSilent, Runnable timeout) implements ForwardingTreeStore {

    private void await(Namespace namespace) {
        if (!namespace.name().equals(World.FILES.name()) && isSilent.getAsBoolean()) {
            timeout.run();
            throw new NoAnswerException("the tree of " + namespace.name() + " does not answer", null);
        }
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        await(namespace);
        return tree.indices(namespace);
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        await(rename.namespace());
        return tree.examine(rename);
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        await(namespace);
        return tree.scan(namespace, path, reach);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        await(rename.namespace());
        return tree.open(rename, snapshot);
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        await(namespace);
        return tree.move(namespace, moves);
    }
}
