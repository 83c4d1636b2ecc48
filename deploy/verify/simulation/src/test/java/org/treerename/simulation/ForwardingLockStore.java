package org.treerename.simulation;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;

/** A lock store that forwards each call to another lock store. */
abstract class ForwardingLockStore implements LockStore {
    private final LockStore locks;

    ForwardingLockStore(LockStore locks) {
        this.locks = locks;
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        locks.release(tables, release);
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        locks.releaseFromDocuments(namespace, release);
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        return locks.read(tables);
    }

    @Override
    public void each(Consumer<LockTable> action) {
        locks.each(action);
    }

    @Override
    public List<String> contradictions() {
        return locks.contradictions();
    }
}
