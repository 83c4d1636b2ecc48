package org.treerename.tree;

import java.util.List;
import org.treerename.namespace.Namespace;

/** A stream that sends one request at a time with {@link TreeStore#move}. */
record SerialMoveStream(TreeStore tree, Namespace namespace) implements MoveStream {

    @Override
    public List<MoveResult> send(List<TreeStore.Move> moves) {
        return List.of(MoveResult.of(moves, () -> tree.move(namespace, moves)));
    }

    /** Returns false: {@link #send} throws an unexpected failure at once. */
    @Override
    public boolean hasFailed() {
        return false;
    }

    @Override
    public List<MoveResult> finish() {
        return List.of();
    }

    @Override
    public void close() {
        // nothing to do: no request is in progress after send has returned
    }
}
