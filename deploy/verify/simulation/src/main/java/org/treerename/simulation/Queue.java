package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;

/**
 * The requests that each lock table has refused, with their requested locks. A younger request with conflicting locks
 * must not acquire a hold in the table while the refused request waits. The wait ends when the request has ended, was
 * released for a retry, or has lost its claim. A request can lose its claim in two ways. First, a late release removes
 * the claims of a later attempt. Second, another request with the same id replaces the claims.
 */
final class Queue {

    private final Map<LockTable.Id, Map<String, Claim>> waiting = new HashMap<>();

    /**
     * Adds a request to the waiting requests of the table that has refused it. If several records of a request were
     * refused in this table, the oldest record determines the age of the request.
     */
    void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        Claim left = table.claims().get(hold.requestId());
        LockPriority age = left == null || hold.age().isOlderThan(left.age()) ? hold.age() : left.age();
        at(table.id()).put(hold.requestId(), new Claim(age, wanted));
    }

    private Map<String, Claim> at(LockTable.Id table) {
        return waiting.computeIfAbsent(table, id -> new HashMap<>());
    }

    /** Removes the request of an entry from all tables, if the written entry is in a state without claims. */
    void wrote(JournalEntry entry) {
        if (!entry.mayClaim()) {
            waiting.values().forEach(here -> here.remove(entry.requestId()));
        }
    }

    /**
     * Removes a request from the waiting requests of a table, because its claim in this table was removed or replaced.
     */
    void lostClaim(LockTable.Id table, String requestId) {
        at(table).remove(requestId);
    }

    /**
     * Returns an older request of the table that still waits and that the new hold overtakes; empty if there is none.
     */
    Optional<String> passedBy(LockTable.Id table, Held given) {
        return at(table).entrySet().stream()
                .filter(one -> !one.getKey().equals(given.hold().requestId()))
                .filter(one -> one.getValue().age().isOlderThan(given.hold().age()))
                .filter(one -> Exclusion.between(one.getValue().paths(), given.paths()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
