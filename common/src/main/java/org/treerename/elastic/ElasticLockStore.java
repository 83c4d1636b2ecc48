package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;

/** The lock tables in the control index. */
public final class ElasticLockStore implements LockStore {

    /**
     * The number of bucket tables on one page. A page is one answer, and a single bucket table may have more than a
     * megabyte of paths.
     */
    private static final int BUCKETS_OF_A_PAGE = 20;

    /** The number of document tables on one page. Such a table has only one path. */
    private static final int DOCUMENTS_OF_A_PAGE = 1_000;

    private static final JsonNode OF_DOCUMENTS = tables("should");
    private static final JsonNode OF_BUCKETS = tables("must_not");

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

    /** Repeats the search and the release until a release changes no table. */
    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        AtomicBoolean changed = new AtomicBoolean(true);
        while (changed.getAndSet(false)) {
            control.eachPageOfIds(having(namespace, release), ids -> {
                Bulk bulk = new Bulk();
                ids.forEach(id -> bulk.lock(LockUpdate.release(id, release)));
                if (send(bulk)) {
                    changed.set(true);
                }
            });
        }
    }

    /** Returns a query for the tables of documents with a hold or a claim of this release. */
    private static JsonNode having(String namespace, Release release) {
        ObjectNode query = Json.object();
        ObjectNode bool = query.putObject("bool").put("minimum_should_match", 1);
        ArrayNode filter = bool.putArray("filter");
        filter.addObject().putObject("term").put("kind", "lock");
        filter.addObject().putObject("term").put("namespace", namespace);
        ArrayNode either = bool.putArray("should");
        ArrayNode holdIds = either.addObject().putObject("terms").putArray("hold_ids");
        release.holdIds().forEach(holdIds::add);
        release.claimOf()
                .ifPresent(requestId -> either.addObject().putObject("term").put("claim_ids", requestId));
        return query;
    }

    /** Sends a bulk and returns whether it changed a table. */
    private boolean send(Bulk bulk) {
        List<Bulk.Item> items = bulk.items() == 0 ? List.of() : control.send(bulk);
        items.forEach(ElasticLockStore::confirm);
        return items.stream().anyMatch(Bulk.Item::hasChanged);
    }

    static void add(Bulk bulk, Collection<LockTable.Id> tables, Release release) {
        tables.forEach(table -> bulk.lock(LockUpdate.release(table, release)));
    }

    /** A table that does not exist has nothing to release. */
    private static void confirm(Bulk.Item item) {
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
        eachStored(json -> {
            LockTable table = LockJson.read(json);
            if (!table.isEmpty()) {
                consumer.accept(table);
            }
        });
    }

    @Override
    public List<String> contradictions() {
        List<String> found = new ArrayList<>();
        eachStored(json -> found.addAll(LockJson.contradictions(json)));
        return found;
    }

    private void eachStored(Consumer<JsonNode> consumer) {
        control.each(OF_BUCKETS, BUCKETS_OF_A_PAGE, consumer);
        control.each(OF_DOCUMENTS, DOCUMENTS_OF_A_PAGE, consumer);
    }

    /**
     * Returns a query for the tables of documents or for the tables of buckets. It distinguishes them by the fields
     * with the ids of holds and claims. Only tables of documents have these fields.
     *
     * @param occurrence {@code should} for the tables of documents, {@code must_not} for the tables of buckets
     */
    private static JsonNode tables(String occurrence) {
        ObjectNode query = Json.object();
        ObjectNode bool = query.putObject("bool");
        bool.putArray("filter").addObject().putObject("term").put("kind", "lock");
        ArrayNode repeated = bool.putArray(occurrence);
        for (String field : List.of("hold_ids", "claim_ids")) {
            repeated.addObject().putObject("exists").put("field", field);
        }
        if (occurrence.equals("should")) {
            bool.put("minimum_should_match", 1);
        }
        return query;
    }
}
