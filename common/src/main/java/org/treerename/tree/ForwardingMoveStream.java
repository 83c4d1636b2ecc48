package org.treerename.tree;

import java.util.List;

/** A decorator that forwards each call to another stream of moves. */
public interface ForwardingMoveStream extends MoveStream {

    MoveStream stream();

    @Override
    default List<MoveResult> send(List<TreeStore.Move> moves) {
        return stream().send(moves);
    }

    @Override
    default boolean hasFailed() {
        return stream().hasFailed();
    }

    @Override
    default List<MoveResult> finish() {
        return stream().finish();
    }

    @Override
    default void close() {
        stream().close();
    }
}
