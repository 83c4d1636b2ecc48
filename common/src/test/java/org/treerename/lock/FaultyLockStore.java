package org.treerename.lock;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.path.Path;
import org.treerename.store.Calls;

/** A lock store with whose calls something interferes. */
public record FaultyLockStore(LockStore store, Calls calls) implements LockStore {

    @Override
    public void release(LockSet locks, Release release) {
        calls.write("locks.release", () -> store.release(locks, release));
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return calls.read("locks.read", () -> store.read(namespace, path));
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        calls.read("locks.all", store::all).forEach(look);
    }

    @Override
    public List<String> contradictions() {
        return calls.read("locks.contradictions", store::contradictions);
    }
}
