package org.treerename.lock;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * A decorator that forwards each call to another lock store. The methods with a default in {@link LockStore} call the
 * methods of the decorator.
 */
public interface ForwardingLockStore extends LockStore {

    LockStore locks();

    @Override
    default void release(Collection<LockTable.Id> tables, Release release) {
        locks().release(tables, release);
    }

    @Override
    default void releaseFromDocuments(String namespace, Release release) {
        locks().releaseFromDocuments(namespace, release);
    }

    @Override
    default List<LockTable> read(Collection<LockTable.Id> tables) {
        return locks().read(tables);
    }

    @Override
    default void each(Consumer<LockTable> consumer) {
        locks().each(consumer);
    }

    @Override
    default List<String> contradictions() {
        return locks().contradictions();
    }
}
