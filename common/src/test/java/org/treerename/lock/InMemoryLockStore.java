package org.treerename.lock;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.treerename.path.TreePath;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Versioned;

/** Stores lock tables in an {@link InMemoryControlIndex}. {@link LockTable} decides which locks are granted. */
public final class InMemoryLockStore implements LockStore {

    private final InMemoryControlIndex control;

    public InMemoryLockStore(InMemoryControlIndex control) {
        this.control = control;
    }

    private static String id(LockTable.Id table) {
        return "lock:" + table;
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        tables.forEach(table -> control.update(
                id(table),
                LockTable.class,
                found -> found.map(lock -> lock.released(release)).filter(lock -> !lock.isForgotten())));
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        release(
                tables().stream()
                        .map(LockTable::id)
                        .filter(id -> id.ofDocument() && id.namespace().equals(namespace))
                        .toList(),
                release);
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        return tables.stream().map(this::read).toList();
    }

    private LockTable read(LockTable.Id table) {
        return control.read(id(table), LockTable.class).map(Versioned::value).orElse(LockTable.empty(table));
    }

    /**
     * Attempts to acquire locks in one table, and returns the table after the attempt. {@link LockStore} has no such
     * method, because an attempt is a part of a prepare.
     */
    public LockTable take(LockTable.Id table, SortedMap<TreePath, LockMode> wanted, Hold hold) {
        return control.update(
                        id(table),
                        LockTable.class,
                        found ->
                                Optional.of(found.orElse(LockTable.empty(table)).taken(hold, wanted)))
                .orElseThrow();
    }

    /** Attempts to acquire the locks of a lock set in each of its tables. */
    public void take(LockSet locks, Hold hold) {
        locks.parts().forEach((table, wanted) -> take(table, wanted, hold));
    }

    /** Attempts to acquire the lock on one path, and returns the table of this path after the attempt. */
    public LockTable take(String namespace, TreePath path, LockMode mode, Hold hold) {
        SortedMap<TreePath, LockMode> wanted = new TreeMap<>(Map.of(path, mode));
        return take(LockTable.Id.of(namespace, path), wanted, hold);
    }

    /** Returns the ids of the holds on exactly this path, in tables of buckets and in tables of documents. */
    public Set<String> holdsAt(String namespace, TreePath path) {
        return tables().stream()
                .filter(table -> table.id().namespace().equals(namespace))
                .flatMap(table -> table.holds().entrySet().stream())
                .filter(held -> held.getValue().paths().containsKey(path))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the ids of the requests that have a claim on exactly this path. */
    public Set<String> claimsAt(String namespace, TreePath path) {
        return tables().stream()
                .filter(table -> table.id().namespace().equals(namespace))
                .flatMap(table -> table.claims().entrySet().stream())
                .filter(claim -> claim.getValue().paths().containsKey(path))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void each(Consumer<LockTable> look) {
        tables().forEach(look);
    }

    /** Returns an empty list. This store has no search keys that could contradict the locks of a table. */
    @Override
    public List<String> contradictions() {
        return List.of();
    }

    /** Returns every table that has a hold or a claim. */
    public List<LockTable> tables() {
        return control.all(LockTable.class).stream()
                .filter(table -> !table.isEmpty())
                .toList();
    }
}
