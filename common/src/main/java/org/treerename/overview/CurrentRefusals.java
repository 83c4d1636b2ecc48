package org.treerename.overview;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.treerename.lock.Hold;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Waiting;

/**
 * Adds to journal entries what refuses them now. A request that waits for locks writes its last refusal only with its next attempt; until then,
 * only its claims in the lock tables show that it waits.
 */
final class CurrentRefusals {

    private final LockSearch locks;

    CurrentRefusals(LockSearch locks) {
        this.locks = locks;
    }

    /** Returns the entries, those that are refused now with one refusal more. It reads nothing if none can be waiting. */
    List<JournalEntry> addTo(List<JournalEntry> entries) {
        Map<String, List<LockTable>> tables = new HashMap<>();
        List<JournalEntry> shown = new ArrayList<>();
        for (JournalEntry entry : entries) {
            Optional<String> namespace =
                    entry.namespace().filter(name -> entry.state().isAttempted());
            shown.add(
                    namespace.isEmpty()
                            ? entry
                            : refused(entry, tables.computeIfAbsent(namespace.get(), locks::tables)));
        }
        return shown;
    }

    private static JournalEntry refused(JournalEntry entry, List<LockTable> tables) {
        return tables.stream()
                .flatMap(table -> blockers(entry, table).stream())
                .findFirst()
                .map(first ->
                        entry.refused(new Waiting(entry.waiting().refusals() + 1, first.requestId(), first.toString())))
                .orElse(entry);
    }

    /** A request keeps its claim when it gets the lock. */
    private static List<Blocker> blockers(JournalEntry entry, LockTable table) {
        LockTable.Claim claim = table.claims().get(entry.requestId());
        String holdId = Objects.requireNonNullElse(entry.ownership().holdId(), "");
        return claim == null || table.isHeldBy(holdId)
                ? List.of()
                : table.blockersOf(new Hold(holdId, entry.ownership().processId(), claim.age()), claim.paths());
    }
}
