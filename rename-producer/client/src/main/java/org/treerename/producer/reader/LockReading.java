package org.treerename.producer.reader;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;

/**
 * One reading of lock tables and journal entries. The tables can contain locks at, above or below a path. The entries
 * belong to requests that hold locks, or have released locks, in these tables. The entries were read after the tables.
 *
 * @param entries the journal entries, by request id
 */
record LockReading(Notation notation, Map<LockTable.Id, LockTable> tables, Map<String, JournalEntry> entries) {

    LockReading {
        // the order of Map.copyOf differs in each process, and a simulated run must be repeatable
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
        entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    Stream<Held> holds() {
        return tables.values().stream().flatMap(table -> table.holds().values().stream());
    }

    Set<String> holders() {
        Set<String> holders = new HashSet<>();
        holds().forEach(held -> holders.add(held.hold().requestId()));
        return holders;
    }

    @Nullable
    JournalEntry entry(String requestId) {
        return entries.get(requestId);
    }

    Optional<CommittedRename> committed(String requestId) {
        return Optional.ofNullable(entries.get(requestId)).flatMap(entry -> CommittedRename.of(entry, notation));
    }

    /**
     * Returns the committed renames that hold locks, by request id. Leaves out each hold whose id is not in the journal
     * entry, because this hold belongs to an attempt that arrived late. The rename of this attempt may have ended long
     * ago.
     */
    Map<String, CommittedRename> held() {
        Map<String, CommittedRename> held = new LinkedHashMap<>();
        holds().map(Held::hold)
                .filter(this::isOfEntry)
                .map(Hold::requestId)
                .forEach(id -> committed(id).ifPresent(rename -> held.put(id, rename)));
        return held;
    }

    private boolean isOfEntry(Hold hold) {
        JournalEntry entry = entries.get(hold.requestId());
        return entry != null && hold.holdId().equals(entry.ownership().holdId());
    }

    /**
     * Returns whether all documents of a rename have moved, according to the journal. Every shard copy was refreshed
     * before this state was written to the journal.
     */
    boolean hasMoved(String requestId) {
        JournalEntry entry = entries.get(requestId);
        return entry != null && (entry.state() == State.DONE || entry.state() == State.CLOSED);
    }

    /**
     * Returns the request ids of the holds that were removed since an earlier reading. Returns empty if a table does
     * not list all these ids any more.
     */
    Optional<Set<String>> releasedSince(LockReading earlier) {
        Set<String> released = new HashSet<>();
        for (LockTable table : tables.values()) {
            LockTable before = earlier.tables.getOrDefault(table.id(), LockTable.empty(table.id()));
            Optional<List<String>> since = table.releases().since(before.releases());
            if (since.isEmpty()) {
                return Optional.empty();
            }
            released.addAll(since.get());
        }
        return Optional.of(released);
    }

    /** Returns this reading together with tables and entries that were read later. */
    LockReading and(Map<LockTable.Id, LockTable> moreTables, Map<String, JournalEntry> moreEntries) {
        Map<LockTable.Id, LockTable> all = new LinkedHashMap<>(tables);
        all.putAll(moreTables);
        Map<String, JournalEntry> latest = new LinkedHashMap<>(entries);
        latest.putAll(moreEntries);
        return new LockReading(notation, all, latest);
    }

    /**
     * Returns whether this reading proves that a rename has released its locks: the table of the source or of the
     * destination contains no hold of the rename. With the granularity {@code global}, only the table of the root
     * contains holds, so the other tables prove nothing.
     */
    boolean isReleased(CommittedRename rename, String namespace) {
        return !isGlobal(rename, namespace) && hasNoHold(rename, namespace);
    }

    boolean isGlobal(CommittedRename rename, String namespace) {
        LockTable root = tables.get(LockTable.Id.of(namespace, notation.root()));
        return root != null && isHeldBy(root, rename.requestId());
    }

    private boolean hasNoHold(CommittedRename rename, String namespace) {
        return Stream.of(rename.source(), rename.destination())
                .map(end -> tables.get(LockTable.Id.of(namespace, end)))
                .anyMatch(table -> table != null && !isHeldBy(table, rename.requestId()));
    }

    private static boolean isHeldBy(LockTable table, String requestId) {
        return table.holds().values().stream()
                .anyMatch(held -> held.hold().requestId().equals(requestId));
    }

    /** Returns whether a hold locks a path at, above or below one of the given paths. */
    static boolean concerns(Held held, Set<TreePath> paths) {
        return held.paths().keySet().stream()
                .anyMatch(locked -> paths.stream().anyMatch(path -> CommittedRename.areRelated(locked, path)));
    }
}
