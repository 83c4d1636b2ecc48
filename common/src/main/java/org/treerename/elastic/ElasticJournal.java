package org.treerename.elastic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Blocker;
import org.treerename.lock.LockMode;
import org.treerename.lock.Release;
import org.treerename.path.Path;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.State;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The journal in the control index. */
public final class ElasticJournal implements Journal {

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
        if (attempt.previousHoldId() != null) {
            ElasticLockStore.add(bulk, attempt.locks(), Release.ofHold(attempt.previousHoldId()));
        }
        int before = bulk.items();
        List<Map.Entry<Path, LockMode>> locks =
                List.copyOf(attempt.locks().modes().entrySet());
        for (Map.Entry<Path, LockMode> lock : locks) {
            String namespace = attempt.locks().namespace();
            bulk.update(
                    LockJson.id(namespace, lock.getKey()),
                    ElasticLockStore.RETRIES,
                    LockJson.acquire(namespace, lock.getKey(), lock.getValue(), attempt.hold()));
        }
        List<Bulk.Item> items = control.send(bulk);
        WriteResult entry = items.getFirst().result();
        return judged(attempt, entry, locks, items.subList(before, items.size()));
    }

    /** Success is the own hold in every document that came back, whatever the statuses say. */
    private static Prepared judged(
            Attempt attempt, WriteResult entry, List<Map.Entry<Path, LockMode>> locks, List<Bulk.Item> items) {
        List<Blocker> blockers = new ArrayList<>();
        boolean taken = true;
        for (int i = 0; i < items.size(); i++) {
            Bulk.Item item = items.get(i);
            if (!item.isOk() && item.status() != 409 && !Elastic.isTransient(item.status())) {
                throw item.failure();
            }
            if (!item.source().isObject()) {
                taken = false;
                continue;
            }
            LockDocument lock = LockJson.read(item.source());
            if (!lock.isHeldBy(attempt.hold().holdId())) {
                taken = false;
                blockers.addAll(lock.blockersOf(attempt.hold(), locks.get(i).getValue()));
            }
        }
        return new Prepared(entry, blockers, taken);
    }

    @Override
    public WriteResult create(JournalEntry entry) {
        return control.create(EntryJson.id(entry.requestId()), EntryJson.write(entry));
    }

    @Override
    public WriteResult write(JournalEntry entry, Version seen) {
        return control.write(EntryJson.id(entry.requestId()), seen, EntryJson.write(entry));
    }

    @Override
    public List<String> in(Set<State> states) {
        List<String> stored = states.stream()
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();
        return control.all(ControlIndex.having("rename", "state", stored)).stream()
                .map(EntryJson::read)
                .sorted(Comparator.comparing(JournalEntry::age))
                .map(JournalEntry::requestId)
                .toList();
    }

    @Override
    public WriteResult delete(String requestId, Version seen) {
        return control.delete(EntryJson.id(requestId), seen);
    }

    @Override
    public Optional<Versioned<JournalEntry>> read(String requestId) {
        return control.read(EntryJson.id(requestId))
                .map(found -> new Versioned<>(EntryJson.read(found.value()).seenIn(found.version()), found.version()));
    }
}
