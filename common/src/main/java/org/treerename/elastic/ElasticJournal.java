package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.SortOptions;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.json.JsonData;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.ClosedRenames;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the journal entries in the control index. One bulk request writes an entry and acquires the locks of the
 * rename.
 */
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
        ElasticWatermark.addReading(bulk);
        SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts =
                attempt.locks().parts();
        if (attempt.previousHoldId() != null) {
            ElasticLockStore.add(bulk, parts.keySet(), Release.ofHold(attempt.previousHoldId()));
        }
        int before = bulk.items();
        parts.forEach((table, wanted) -> bulk.lock(LockUpdate.acquire(table, wanted, attempt.hold())));
        List<Bulk.Item> items = control.send(bulk);
        WriteResult entry = items.getFirst().result();
        boolean expired =
                entry instanceof WriteResult.Written && ElasticWatermark.covers(items.get(1), attempt.entry());
        return prepared(attempt, entry, expired, items.subList(before, items.size()));
    }

    /** An attempt has succeeded if every lock table contains its hold, whatever the statuses of the items are. */
    private static Prepared prepared(Attempt attempt, WriteResult entry, boolean expired, List<Bulk.Item> items) {
        int granted = 0;
        Set<LockTable.Id> refused = new HashSet<>();
        boolean changed = false;
        Iterator<Bulk.Item> next = items.iterator();
        for (LockTable.Id table : attempt.locks().parts().keySet()) {
            Bulk.Item item = next.next();
            if (!item.isOk() && item.status() != 409 && !AnswerStatus.isTransient(item.status())) {
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
        return control.search().ids(in(states.stream()), "requested_at", "request_id").stream()
                .map(EntryJson::requestId)
                .toList();
    }

    @Override
    public List<String> in(Set<State> states, Set<String> owners) {
        Query query = Queries.all(in(states.stream()), Queries.terms("owner", owners.stream()));
        return control.search().ids(query, "requested_at", "request_id").stream()
                .map(EntryJson::requestId)
                .toList();
    }

    @Override
    public Set<String> owners(Set<State> states) {
        return control.search().counted(in(states.stream()), "owner").keySet();
    }

    /** Returns a query for the entries in these states. */
    static Query in(Stream<State> states) {
        return ControlSearch.having(
                "rename", "state", states.map(state -> state.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public List<Versioned<JournalEntry>> olderThan(State state, Instant limit, @Nullable LockPriority after, int most) {
        JsonData time = JsonData.of(limit.toString());
        Query query = Queries.all(
                in(Stream.of(state)),
                ControlSearch.READABLE,
                Queries.range("requested_at", range -> range.lt(time)),
                Queries.none(
                        Queries.range("repeated_at", range -> range.gte(time)),
                        Queries.range("finished_at", range -> range.gte(time))));
        return control.search().next(query, byAge(SortOrder.Asc), position(after), most).stream()
                .map(found -> new Versioned<>(EntryJson.read(found.value()), found.version()))
                .toList();
    }

    /** Returns the order of entries by the {@linkplain JournalEntry#age age} of their requests. */
    static List<SortOptions> byAge(SortOrder order) {
        return List.of(Queries.by("requested_at", order), Queries.by("request_id", order));
    }

    /** Returns the position after an entry in the order {@link #byAge}. */
    static List<FieldValue> position(@Nullable LockPriority after) {
        return after == null
                ? Queries.START
                : List.of(FieldValue.of(after.appendedAtMillis()), FieldValue.of(after.requestId()));
    }

    @Override
    public List<JournalEntry> latest(String namespace, long least, int most) {
        Query query = Queries.all(
                in(Stream.of(State.CLOSED)),
                ControlSearch.READABLE,
                Queries.term("namespace", namespace),
                Queries.range("expected", range -> range.gte(JsonData.of(least))));
        return control.search().first(query, "finished_at", SortOrder.Desc, most).stream()
                .map(found -> EntryJson.read(found.value()))
                .toList();
    }

    /** Deletes entries. Ignores an entry that has changed since it was read (409) or is already deleted (404). */
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
