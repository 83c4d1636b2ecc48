package org.treerename.overview;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;

/**
 * The holds and claims at one path.
 *
 * @param holds the holds, by hold id
 * @param claims the claims, by request id
 */
public record PathLocks(
        String namespace, TreePath path, SortedMap<String, Held> holds, SortedMap<String, Claim> claims) {

    /** The hold of one attempt, and its lock mode at the path. */
    public record Held(Hold hold, LockMode mode) {}

    /**
     * The claim of a refused request, and its lock mode at the path.
     *
     * @param waitsFor the requests whose holds and older claims block this request, without duplicates
     */
    public record Claim(LockPriority age, LockMode mode, List<String> waitsFor) {
        public Claim {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    public PathLocks {
        holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    static PathLocks of(String namespace, TreePath path, Collection<LockTable> tables) {
        SortedMap<String, Held> holds = new TreeMap<>();
        SortedMap<String, Claim> claims = new TreeMap<>();
        for (LockTable table : tables) {
            table.holds().forEach((id, held) -> {
                LockMode mode = held.paths().get(path);
                if (mode != null) {
                    holds.put(id, new Held(held.hold(), mode));
                }
            });
            table.claims().forEach((requestId, claim) -> {
                LockMode mode = claim.paths().get(path);
                if (mode != null) {
                    claims.put(requestId, new Claim(claim.age(), mode, waitsFor(table, claim)));
                }
            });
        }
        return new PathLocks(namespace, path, holds, claims);
    }

    private static List<String> waitsFor(LockTable table, LockTable.Claim claim) {
        return table.blockersOf(new Hold("", "", claim.age()), claim.paths()).stream()
                .map(LockTable.Blocker::requestId)
                // a request keeps its claim when it acquires the lock, so omit the hold of the same request
                .filter(other -> !other.equals(claim.age().requestId()))
                .distinct()
                .toList();
    }
}
