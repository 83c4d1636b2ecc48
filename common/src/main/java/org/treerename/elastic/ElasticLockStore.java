package org.treerename.elastic;

import java.util.List;
import java.util.Optional;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;
import org.treerename.store.NoAnswerException;

/** The lock documents in the control index: one request for a whole lock set. */
public final class ElasticLockStore implements LockStore {

    private final ControlIndex control;

    public ElasticLockStore(ControlIndex control) {
        this.control = control;
    }

    @Override
    public void release(LockSet locks, Release release) {
        if (locks.modes().isEmpty()) {
            return;
        }
        Bulk bulk = new Bulk();
        add(bulk, locks, release);
        for (Bulk.Item item : control.send(bulk)) {
            confirm(item);
        }
    }

    static void add(Bulk bulk, LockSet locks, Release release) {
        locks.modes().keySet().forEach(path -> bulk.lock(LockUpdate.release(locks.namespace(), path, release)));
    }

    /** A document that is not there has nothing to give back. */
    private static void confirm(Bulk.Item item) {
        if (item.status() == 409) {
            throw new NoAnswerException("a release met too many others: " + item.reason(), null);
        }
        if (!item.isOk() && item.status() != 404) {
            throw item.failure();
        }
    }

    @Override
    public List<LockDocument> all() {
        return control.all(ControlIndex.having("lock", "kind", List.of("lock"))).stream()
                .map(LockJson::read)
                .toList();
    }

    @Override
    public List<String> contradictions() {
        return control.all(ControlIndex.having("lock", "kind", List.of("lock"))).stream()
                .flatMap(json -> LockJson.contradictions(json).stream())
                .toList();
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return control.read(LockJson.id(namespace, path)).map(found -> LockJson.read(found.value()));
    }
}
