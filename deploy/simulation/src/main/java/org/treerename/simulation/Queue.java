package org.treerename.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;
import org.treerename.rename.JournalEntry;

/**
 * The requests that a lock table has refused, and what they want of it. No younger request whose locks conflict with these may get a hold
 * there before the refused one has ended, was given back, or has lost its claim. A late release removes the claims of a later attempt as
 * well, and another request under the same id replaces them.
 */
final class Queue {

    private final Map<LockTable.Id, Map<String, Claim>> waiting = new HashMap<>();

    /** A table has refused an attempt. The request is as old as the oldest of its records that was refused there. */
    void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        Claim left = table.claims().get(hold.requestId());
        LockPriority age = left == null || hold.age().isOlderThan(left.age()) ? hold.age() : left.age();
        at(table.id()).put(hold.requestId(), new Claim(age, wanted));
    }

    private Map<String, Claim> at(LockTable.Id table) {
        return waiting.computeIfAbsent(table, id -> new HashMap<>());
    }

    /** An entry was written. A request that may claim nothing does not wait any more. */
    void wrote(JournalEntry entry) {
        if (!entry.mayClaim()) {
            waiting.values().forEach(here -> here.remove(entry.requestId()));
        }
    }

    /** A claim was removed from a table, or replaced there. */
    void lostClaim(LockTable.Id table, String requestId) {
        at(table).remove(requestId);
    }

    /** Returns an older request that waits and is passed by a hold that a table gives. */
    Optional<String> passedBy(LockTable.Id table, Held given) {
        return at(table).entrySet().stream()
                .filter(one -> !one.getKey().equals(given.hold().requestId()))
                .filter(one -> one.getValue().age().isOlderThan(given.hold().age()))
                .filter(one -> Exclusion.between(one.getValue().paths(), given.paths()))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
