package org.treerename.lock;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.treerename.store.Calls;

/** A lock store whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyLockStore(LockStore store, Calls calls) implements LockStore {

    @Override
    public void release(LockSet locks, Release release) {
        calls.write("locks.release", () -> store.release(locks, release));
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        calls.write("locks.release", () -> store.release(tables, release));
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        calls.write("locks.release", () -> store.releaseFromDocuments(namespace, release));
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        return calls.read("locks.read", () -> store.read(tables));
    }

    @Override
    public void each(Consumer<LockTable> look) {
        calls.read("locks.all", store::all).forEach(look);
    }

    @Override
    public List<String> contradictions() {
        return calls.read("locks.contradictions", store::contradictions);
    }
}
