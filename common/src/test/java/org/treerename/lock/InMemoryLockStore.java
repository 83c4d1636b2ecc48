package org.treerename.lock;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.path.Path;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Versioned;

/** The lock documents in memory; the rule is {@link LockDocument}'s own. */
public final class InMemoryLockStore implements LockStore {

    private final InMemoryControlIndex control;

    public InMemoryLockStore(InMemoryControlIndex control) {
        this.control = control;
    }

    private static String id(String namespace, Path path) {
        return "lock:" + namespace + "\0" + path;
    }

    @Override
    public void release(LockSet locks, Release release) {
        locks.modes().keySet().forEach(path -> release(locks.namespace(), path, release));
        if (locks.open()) {
            documents().stream()
                    .filter(lock -> !lock.released(release).equals(lock))
                    .forEach(lock -> release(lock.namespace(), lock.path(), release));
        }
    }

    private void release(String namespace, Path path, Release release) {
        control.update(
                id(namespace, path),
                LockDocument.class,
                found -> found.map(lock -> lock.released(release)).filter(lock -> !lock.isEmpty()));
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return control.read(id(namespace, path), LockDocument.class).map(Versioned::value);
    }

    /** One attempt to take one lock; the document as it stands after it. Part of a prepare, not of the port. */
    public LockDocument take(String namespace, Path path, LockMode mode, Hold hold) {
        return control.update(
                        id(namespace, path),
                        LockDocument.class,
                        found -> Optional.of(found.orElseGet(() -> LockDocument.empty(namespace, path))
                                .taken(hold, mode)))
                .orElseThrow();
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        documents().forEach(look);
    }

    /** It stores what a lock document is, and repeats nothing of it. */
    @Override
    public List<String> contradictions() {
        return List.of();
    }

    /** Every lock document, for looking at. */
    public List<LockDocument> documents() {
        return control.all(LockDocument.class);
    }
}
