package org.treerename.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.TreePath;

/**
 * The expected result of a lock attempt, computed from the lock tables that a read returned. Only the answer to an
 * attempt shows whether the locks are held.
 *
 * @param mayAttempt whether the next attempt may succeed, or would add a missing claim
 * @param blockers the holds and claims that block the lock set now
 */
record GrantCheck(boolean mayAttempt, List<Blocker> blockers) {

    GrantCheck {
        blockers = List.copyOf(blockers);
    }

    /** Applies the lock rules to tables. A table that is not in the map has no holds and no claims. */
    static GrantCheck of(
            Hold hold,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Map<LockTable.Id, LockTable> tables) {
        return new GrantCheck(mayAttempt(hold, parts, tables), blockers(hold, parts, tables));
    }

    /** Returns the holds and claims of these tables that block the lock set. */
    static List<Blocker> blockers(
            Hold hold,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Map<LockTable.Id, LockTable> tables) {
        List<Blocker> blockers = new ArrayList<>();
        parts.forEach((id, wanted) ->
                blockers.addAll(tables.getOrDefault(id, LockTable.empty(id)).blockersOf(hold, wanted)));
        return blockers;
    }

    /**
     * Returns whether the request should make its next attempt. The method returns true in three cases:
     *
     * <ul>
     *   <li>every table would grant the requested locks;
     *   <li>a table would refuse the requested locks, contains no claim of the request, and has room for this claim;
     *   <li>a table contains the hold of the last attempt.
     * </ul>
     */
    static boolean mayAttempt(
            Hold hold,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Map<LockTable.Id, LockTable> tables) {
        boolean isRefused = false;
        for (Map.Entry<LockTable.Id, SortedMap<TreePath, LockMode>> part : parts.entrySet()) {
            LockTable table = tables.getOrDefault(part.getKey(), LockTable.empty(part.getKey()));
            boolean isRefusedHere = table.refuses(hold, part.getValue());
            boolean isMissingClaim = isRefusedHere
                    && !table.claims().containsKey(hold.requestId())
                    && table.hasRoomForClaim(hold.requestId(), part.getValue());
            // A table can contain the hold of a refused attempt, because Elasticsearch can apply the request of
            // the attempt a second time.
            if (isMissingClaim || table.isHeldBy(hold.holdId())) {
                return true;
            }
            isRefused |= isRefusedHere;
        }
        return !isRefused;
    }
}
