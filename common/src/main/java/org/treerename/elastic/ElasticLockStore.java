package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.store.LaterFormatException;

/**
 * Reads the lock tables in the control index, and releases locks by scripted updates. {@link ElasticJournal} acquires
 * locks, in the request that writes the journal entry.
 */
public final class ElasticLockStore implements LockStore {

    /** Small, because one answer contains a page, and one bucket's table may contain more than a megabyte of paths. */
    private static final int BUCKETS_OF_A_PAGE = 20;

    /** The number of tables of single documents on one page. Each of these tables contains only one path. */
    private static final int DOCUMENTS_OF_A_PAGE = 1_000;

    private static final Query TABLES = Queries.term("kind", "lock");

    /** Only tables of single documents contain these fields. */
    private static final Query[] REPEATED = {Queries.exists("hold_ids"), Queries.exists("claim_ids")};

    private static final Query OF_DOCUMENTS = Queries.all(TABLES, Queries.any(REPEATED));
    private static final Query OF_BUCKETS = Queries.all(TABLES, Queries.none(REPEATED));

    private static final Logger log = LoggerFactory.getLogger(ElasticLockStore.class);

    private final ControlIndex control;

    public ElasticLockStore(ControlIndex control) {
        this.control = control;
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        Bulk bulk = new Bulk();
        add(bulk, tables, release);
        var unused = send(bulk);
    }

    /**
     * Releases locks in the tables of single documents. Searches for the tables that contain these locks, and releases
     * the locks. Repeats both steps until a release changes no table.
     */
    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        AtomicBoolean changed = new AtomicBoolean(true);
        while (changed.getAndSet(false)) {
            control.search().eachPageOfIds(having(namespace, release), ids -> {
                Bulk bulk = new Bulk();
                ids.forEach(id -> bulk.lock(LockUpdate.release(id, release)));
                if (send(bulk)) {
                    changed.set(true);
                }
            });
        }
    }

    private static Query having(String namespace, Release release) {
        Query either = Queries.any(
                Queries.terms("hold_ids", release.holdIds().stream()),
                Queries.terms("claim_ids", release.claimOf().stream()));
        return Queries.all(TABLES, Queries.term("namespace", namespace), either);
    }

    private boolean send(Bulk bulk) {
        List<Bulk.Item> items = bulk.items() == 0 ? List.of() : control.send(bulk);
        items.forEach(ElasticLockStore::confirm);
        return items.stream().anyMatch(Bulk.Item::hasChanged);
    }

    static void add(Bulk bulk, Collection<LockTable.Id> tables, Release release) {
        tables.forEach(table -> bulk.lock(LockUpdate.release(table, release)));
    }

    /** A missing table contains nothing to release. The script leaves a table of a later format as it is. */
    private static void confirm(Bulk.Item item) {
        ControlIndex.refuseLater(item.source());
        if (!item.isOk() && !item.isMissing()) {
            throw item.failure();
        }
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        Map<LockTable.Id, LockTable> found = new HashMap<>();
        control.read(tables.stream().map(LockJson::id).toList()).forEach(document -> {
            LockTable table = LockJson.read(document.value());
            found.put(table.id(), table);
        });
        List<LockTable> read = new ArrayList<>();
        tables.forEach(id -> read.add(found.getOrDefault(id, LockTable.empty(id))));
        return read;
    }

    @Override
    public void each(Consumer<LockTable> consumer) {
        eachStored(json -> readable(json).filter(table -> !table.isEmpty()).ifPresent(consumer));
    }

    /** Reads a table; empty if a later version has written it. Such a table must not hide the others. */
    private static Optional<LockTable> readable(JsonNode json) {
        try {
            return Optional.of(LockJson.read(json));
        } catch (LaterFormatException e) {
            log.error("{}; this process leaves this lock table as it is", e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public List<String> contradictions() {
        List<String> found = new ArrayList<>();
        eachStored(json -> found.addAll(LockJson.contradictions(json)));
        return found;
    }

    private void eachStored(Consumer<JsonNode> consumer) {
        control.search().each(OF_BUCKETS, BUCKETS_OF_A_PAGE, consumer);
        control.search().each(OF_DOCUMENTS, DOCUMENTS_OF_A_PAGE, consumer);
    }
}
