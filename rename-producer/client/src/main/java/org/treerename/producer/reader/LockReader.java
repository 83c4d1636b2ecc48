package org.treerename.producer.reader;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Held;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/** Reads the renames whose locks are at, above or below one path of a namespace. All reads are real-time reads. */
final class LockReader {

    private final LockStore locks;
    private final Journal journal;
    private final Namespace namespace;

    LockReader(LockStore locks, Journal journal, Namespace namespace) {
        this.locks = locks;
        this.journal = journal;
        this.namespace = namespace;
    }

    /**
     * Reads the lock tables of a path, and then the journal entries of the holds in these tables. Then reads the tables
     * of the source and the destination of each found rename, if these tables were not read yet. These further tables
     * also contain the locks of later renames to the same paths. If a committed rename has no hold in a further table,
     * the rename is {@code DONE}, and this method reads its entry again. A table that was read before the entry does
     * not prove that the rename is {@code DONE}: the rename may have acquired its locks after the read of the table.
     */
    LockReading first(TreePath path) {
        Set<LockTable.Id> ids = tablesOf(path);
        Map<LockTable.Id, LockTable> tables = read(ids);
        LockReading reading =
                new LockReading(namespace.notation(), tables, entries(exclusive(tables.values(), Set.of(path))));
        Set<LockTable.Id> further = new LinkedHashSet<>();
        reading.held().values().stream()
                .filter(rename -> !reading.isGlobal(rename, namespace.name()))
                .flatMap(rename -> Stream.of(rename.source(), rename.destination()))
                .map(end -> LockTable.Id.of(namespace.name(), end))
                .filter(id -> !ids.contains(id))
                .forEach(further::add);
        return further.isEmpty() ? reading : withReleased(reading, read(further));
    }

    private LockReading withReleased(LockReading reading, Map<LockTable.Id, LockTable> further) {
        LockReading later = new LockReading(namespace.notation(), further, Map.of());
        Set<String> released = reading.held().values().stream()
                .filter(rename -> later.isReleased(rename, namespace.name()))
                .map(CommittedRename::requestId)
                .collect(Collectors.toSet());
        return reading.and(further, entries(released));
    }

    /**
     * Reads the tables of an earlier reading again. Then reads the entries of the holds in these tables, and of the
     * holds that were removed since the earlier reading.
     */
    LockReading again(LockReading earlier, Set<TreePath> concerned) {
        Map<LockTable.Id, LockTable> tables = read(earlier.tables().keySet());
        LockReading read = new LockReading(namespace.notation(), tables, Map.of());
        Set<String> ids = exclusive(tables.values(), concerned);
        read.releasedSince(earlier).ifPresent(ids::addAll);
        return new LockReading(namespace.notation(), tables, entries(ids));
    }

    /** The table of the root contains the locks of whole namespaces. */
    private Set<LockTable.Id> tablesOf(TreePath path) {
        return path.isRoot()
                ? new LinkedHashSet<>(LockTable.Id.all(namespace.name()))
                : new LinkedHashSet<>(List.of(
                        LockTable.Id.of(namespace.name(), path.notation().root()),
                        LockTable.Id.of(namespace.name(), path)));
    }

    private Map<LockTable.Id, LockTable> read(Collection<LockTable.Id> ids) {
        return locks.read(ids).stream().collect(Collectors.toMap(LockTable::id, table -> table));
    }

    private static Set<String> exclusive(Collection<LockTable> tables, Set<TreePath> paths) {
        Set<String> ids = new HashSet<>();
        for (LockTable table : tables) {
            for (Held held : table.holds().values()) {
                if (held.paths().containsValue(LockMode.EXCLUSIVE) && LockReading.concerns(held, paths)) {
                    ids.add(held.hold().requestId());
                }
            }
        }
        return ids;
    }

    private Map<String, JournalEntry> entries(Set<String> ids) {
        Map<String, JournalEntry> entries = new HashMap<>();
        if (!ids.isEmpty()) {
            journal.read(ids).forEach(found -> entries.put(found.value().requestId(), found.value()));
        }
        return entries;
    }
}
