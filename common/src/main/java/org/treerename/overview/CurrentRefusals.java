package org.treerename.overview;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Waiting;
import org.treerename.lock.Hold;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;

/**
 * Adds the current refusals to journal entries. The journal stores the last refusal of a waiting request only at the
 * next attempt of this request. Until that attempt, only the claims in the lock tables show that the request waits.
 */
final class CurrentRefusals {

    private static final Logger log = LoggerFactory.getLogger(CurrentRefusals.class);

    private final LockSearch locks;

    CurrentRefusals(LockSearch locks) {
        this.locks = locks;
    }

    /**
     * Returns the entries. Adds one refusal to each entry whose request is refused now. If no request can be waiting,
     * this method reads no lock table. If the lock tables of a namespace cannot be read, this method returns the
     * entries of the namespace unchanged.
     */
    List<JournalEntry> addTo(List<JournalEntry> entries) {
        Map<String, List<LockTable>> tables = new HashMap<>();
        List<JournalEntry> shown = new ArrayList<>();
        for (JournalEntry entry : entries) {
            Optional<String> namespace =
                    entry.namespace().filter(name -> entry.state().isAttempted());
            shown.add(
                    namespace.isEmpty()
                            ? entry
                            : refused(entry, tables.computeIfAbsent(namespace.get(), this::tables)));
        }
        return shown;
    }

    private List<LockTable> tables(String namespace) {
        try {
            return locks.tables(namespace);
        } catch (RuntimeException e) {
            log.warn(
                    "cannot read the lock tables of namespace {}: {}; the list of renames shows the last refusals in"
                            + " the journal",
                    namespace,
                    e.getMessage());
            return List.of();
        }
    }

    private static JournalEntry refused(JournalEntry entry, List<LockTable> tables) {
        return tables.stream()
                .flatMap(table -> blockers(entry, table).stream())
                .findFirst()
                .map(first ->
                        entry.refused(new Waiting(entry.waiting().refusals() + 1, first.requestId(), first.toString())))
                .orElse(entry);
    }

    /**
     * A request with a valid hold is not blocked, although its claim may still exist. A hold of an earlier attempt of
     * the same request does not block it, because the next attempt removes that hold.
     */
    private static List<Blocker> blockers(JournalEntry entry, LockTable table) {
        LockTable.Claim claim = table.claims().get(entry.requestId());
        String holdId = Objects.requireNonNullElse(entry.ownership().holdId(), "");
        if (claim == null || table.isHeldBy(holdId)) {
            return List.of();
        }
        Hold hold = new Hold(holdId, entry.ownership().processId(), claim.age());
        return table.blockersOf(hold, claim.paths()).stream()
                .filter(blocker -> !blocker.requestId().equals(entry.requestId()))
                .toList();
    }
}
