package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;

/** The lock documents in the control index: one request for a whole lock set, and one for each page of an open one's rest. */
public final class ElasticLockStore implements LockStore {

    private static final JsonNode ALL = ControlIndex.having("lock", "kind", List.of("lock"));

    private final ControlIndex control;

    public ElasticLockStore(ControlIndex control) {
        this.control = control;
    }

    @Override
    public void release(LockSet locks, Release release) {
        Bulk bulk = new Bulk();
        add(bulk, locks, release);
        var unused = send(bulk);
        if (locks.open()) {
            releaseWhereverItStands(release);
        }
    }

    /** Until a search finds nothing more that a release changes. */
    private void releaseWhereverItStands(Release release) {
        AtomicBoolean changed = new AtomicBoolean(true);
        while (changed.getAndSet(false)) {
            control.eachPageOfIds(having(release), ids -> {
                Bulk bulk = new Bulk();
                ids.forEach(id -> bulk.lock(LockUpdate.release(id, release)));
                if (send(bulk)) {
                    changed.set(true);
                }
            });
        }
    }

    /** Matches the lock documents in which something of a release stands. */
    private static JsonNode having(Release release) {
        ObjectNode query = Json.object();
        ObjectNode bool = query.putObject("bool").put("minimum_should_match", 1);
        bool.putArray("filter").addObject().putObject("term").put("kind", "lock");
        ArrayNode either = bool.putArray("should");
        ArrayNode holdIds = either.addObject().putObject("terms").putArray("hold_ids");
        release.holdIds().forEach(holdIds::add);
        release.claimOf()
                .ifPresent(requestId -> either.addObject().putObject("term").put("claim_ids", requestId));
        return query;
    }

    /** Whether it has changed anything. */
    private boolean send(Bulk bulk) {
        List<Bulk.Item> items = bulk.items() == 0 ? List.of() : control.send(bulk);
        items.forEach(ElasticLockStore::confirm);
        return items.stream().anyMatch(Bulk.Item::hasChanged);
    }

    static void add(Bulk bulk, LockSet locks, Release release) {
        locks.modes().keySet().forEach(path -> bulk.lock(LockUpdate.release(locks.namespace(), path, release)));
    }

    /** A document that is not there has nothing to give back. */
    private static void confirm(Bulk.Item item) {
        if (!item.isOk() && !item.isMissing()) {
            throw item.failure();
        }
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        control.each(ALL, json -> look.accept(LockJson.read(json)));
    }

    @Override
    public List<String> contradictions() {
        List<String> found = new ArrayList<>();
        control.each(ALL, json -> found.addAll(LockJson.contradictions(json)));
        return found;
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return control.read(LockJson.id(namespace, path)).map(found -> LockJson.read(found.value()));
    }
}
