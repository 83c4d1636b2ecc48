package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.treerename.journal.ClosedRenames;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.request.RecordPosition;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The journal in the control index. */
public final class ElasticJournal implements Journal, ClosedRenames {

    private final ControlIndex control;

    public ElasticJournal(ControlIndex control) {
        this.control = control;
    }

    @Override
    public Prepared prepare(Attempt attempt) {
        Bulk bulk = new Bulk();
        String id = EntryJson.id(attempt.entry().requestId());
        Version seen = attempt.seen();
        if (seen == null) {
            bulk.create(id, EntryJson.write(attempt.entry()));
        } else {
            bulk.index(id, seen, EntryJson.write(attempt.entry()));
        }
        List<RecordPosition> places = attempt.entry().places();
        places.forEach(place -> ElasticWatermarks.addReading(bulk, place));
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts =
                attempt.locks().parts();
        if (attempt.previousHoldId() != null) {
            ElasticLockStore.add(bulk, parts.keySet(), Release.ofHold(attempt.previousHoldId()));
        }
        int before = bulk.items();
        parts.forEach((table, wanted) -> bulk.lock(LockUpdate.acquire(table, wanted, attempt.hold())));
        List<Bulk.Item> items = control.send(bulk);
        WriteResult entry = items.getFirst().result();
        boolean expired = entry instanceof WriteResult.Written && isExpired(places, items.subList(1, items.size()));
        return prepared(attempt, entry, expired, items.subList(before, items.size()));
    }

    private static boolean isExpired(List<RecordPosition> places, List<Bulk.Item> readings) {
        boolean expired = false;
        for (int i = 0; i < places.size(); i++) {
            expired |= ElasticWatermarks.covers(readings.get(i), places.get(i));
        }
        return expired;
    }

    /**
     * Returns the result of an attempt. The attempt has succeeded if the answer contains every table, and each table
     * has the hold of the attempt. The status of an item does not matter, except that a permanent failure throws.
     */
    private static Prepared prepared(Attempt attempt, WriteResult entry, boolean expired, List<Bulk.Item> items) {
        int granted = 0;
        Set<LockTable.Id> refused = new HashSet<>();
        boolean changed = false;
        Iterator<Bulk.Item> next = items.iterator();
        for (LockTable.Id table : attempt.locks().parts().keySet()) {
            Bulk.Item item = next.next();
            if (!item.isOk() && item.status() != 409 && !Elastic.isTransient(item.status())) {
                throw item.failure();
            }
            if (item.source().isObject()) {
                changed |= item.hasChanged();
                if (LockJson.isHeldBy(item.source(), attempt.hold().holdId())) {
                    granted++;
                } else {
                    refused.add(table);
                }
            }
        }
        return new Prepared(entry, refused, granted == items.size(), expired, changed);
    }

    @Override
    public WriteResult create(JournalStep step, JournalEntry entry) {
        return control.create(EntryJson.id(entry.requestId()), EntryJson.write(entry));
    }

    @Override
    public WriteResult write(JournalStep step, JournalEntry entry, Version seen) {
        return control.write(EntryJson.id(entry.requestId()), seen, EntryJson.write(entry));
    }

    @Override
    public List<String> in(Set<State> states) {
        List<String> stored = states.stream()
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();
        return control.ids(ControlIndex.having("rename", "state", stored), "requested_at", "request_id").stream()
                .map(EntryJson::requestId)
                .toList();
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, int most) {
        ObjectNode query = Json.object();
        ArrayNode filter = readable(query, state);
        range(filter, "requested_at").put("lt", limit.toString());
        ArrayNode not = query.withObject("/bool").putArray("must_not");
        range(not, "repeated_at").put("gte", limit.toString());
        range(not, "finished_at").put("gte", limit.toString());
        return control.first(query, "requested_at", most).stream()
                .map(found -> new Versioned<>(EntryJson.read(found.value()), found.version()))
                .toList();
    }

    @Override
    public List<JournalEntry> latest(String namespace, long least, int most) {
        ObjectNode query = Json.object();
        ArrayNode filter = readable(query, State.CLOSED);
        filter.addObject().putObject("term").put("namespace", namespace);
        range(filter, "expected").put("gte", least);
        return control.last(query, "finished_at", most).stream()
                .map(found -> EntryJson.read(found.value()))
                .toList();
    }

    /** Restricts a query to the entries in a state that this process can read. Returns the array of the clauses that all entries must match. */
    private static ArrayNode readable(ObjectNode query, State state) {
        ArrayNode filter = query.putObject("bool").putArray("filter");
        filter.addObject().putObject("term").put("kind", "rename");
        filter.addObject().putObject("term").put("state", state.name().toLowerCase(Locale.ROOT));
        range(filter, "protocol").put("lte", ControlIndex.PROTOCOL);
        return filter;
    }

    private static ObjectNode range(ArrayNode clauses, String field) {
        return clauses.addObject().putObject("range").putObject(field);
    }

    /** Elasticsearch answers 409 for an entry with another version, and 404 for a deleted entry. */
    @Override
    public int delete(List<Versioned<JournalEntry>> seen) {
        if (seen.isEmpty()) {
            return 0;
        }
        Bulk bulk = new Bulk();
        seen.forEach(entry -> bulk.delete(EntryJson.id(entry.value().requestId()), entry.version()));
        int deleted = 0;
        for (Bulk.Item item : control.send(bulk)) {
            if (item.isOk()) {
                deleted++;
            } else if (item.status() != 409 && !item.isMissing()) {
                throw item.failure();
            }
        }
        return deleted;
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return control.read(EntryJson.id(requestId)).map(ElasticJournal::entry);
    }

    @Override
    public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
        List<String> ids = requestIds.stream().map(EntryJson::id).toList();
        return control.read(ids).stream().map(ElasticJournal::entry).toList();
    }

    @Override
    public Optional<Versioned<JournalEntry>> readForCertain(String requestId) {
        return control.readForCertain(EntryJson.id(requestId)).map(ElasticJournal::entry);
    }

    private static Versioned<JournalEntry> entry(Versioned<JsonNode> found) {
        return new Versioned<>(EntryJson.read(found.value()).seenIn(found.version()), found.version());
    }
}
