package org.treerename.lock;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.path.TreePath;

/**
 * The rule by which a lock table grants or refuses the locks of one attempt. The script {@code acquire-lock.painless}
 * implements the same rule.
 *
 * @param wanted the locks that the attempt needs in the table
 */
record GrantRule(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {

    /** Returns the holds and claims that block the attempt; empty if the table grants the locks. */
    List<Blocker> blockers() {
        List<Blocker> conflicts = conflicts().toList();
        return conflicts.isEmpty() && isFull() ? List.of(oldest()) : conflicts;
    }

    /** Returns whether the table refuses the locks. Stops at the first conflict, unlike {@link #blockers}. */
    boolean refuses() {
        return conflicts().findFirst().isPresent() || isFull();
    }

    /** Returns a lazy stream of the holds and older claims that conflict with the wanted locks. */
    private Stream<Blocker> conflicts() {
        Stream<Blocker> ofHolds = table.holds().entrySet().stream()
                .filter(held -> !held.getKey().equals(hold.holdId()))
                .flatMap(held ->
                        conflicting(held.getValue().paths()).map(path -> new Blocker(path, held.getValue())).stream());
        Stream<Blocker> ofClaims = olderClaims()
                .flatMap(claim -> conflicting(claim.getValue().paths())
                        .map(path -> new Blocker(
                                path, claim.getKey(), modeAt(claim.getValue().paths(), path)))
                        .stream());
        return Stream.concat(ofHolds, ofClaims);
    }

    private boolean isFull() {
        return !table.isHeldBy(hold.holdId()) && !hasRoomForHold();
    }

    /** Returns the claims that are older than this hold and belong to other requests, by request id. */
    private Stream<Map.Entry<String, Claim>> olderClaims() {
        return table.claims().entrySet().stream()
                .filter(claim -> !claim.getKey().equals(hold.requestId()))
                .filter(claim -> claim.getValue().age().isOlderThan(hold.age()));
    }

    private static LockMode modeAt(SortedMap<TreePath, LockMode> paths, TreePath path) {
        return paths.getOrDefault(path, LockMode.EXCLUSIVE);
    }

    /** Returns the first of the given paths whose lock conflicts with a wanted lock. */
    private Optional<TreePath> conflicting(SortedMap<TreePath, LockMode> existing) {
        for (Map.Entry<TreePath, LockMode> one : existing.entrySet()) {
            for (Map.Entry<TreePath, LockMode> other : wanted.entrySet()) {
                if (LockTable.conflict(one.getKey(), one.getValue(), other.getKey(), other.getValue())) {
                    return Optional.of(one.getKey());
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the oldest hold of a full table; if the table has only claims, returns the oldest claim. */
    private Blocker oldest() {
        Optional<Held> held = table.holds().values().stream()
                .min(Comparator.comparing(one -> one.hold().age()));
        if (held.isPresent()) {
            TreePath path = held.get().paths().firstKey();
            return new Blocker(
                    path, held.get().hold().requestId(), held, modeAt(held.get().paths(), path), true);
        }
        Claim claim = table.claims().values().stream()
                .min(Comparator.comparing(Claim::age))
                .orElseThrow();
        TreePath path = claim.paths().firstKey();
        return new Blocker(path, claim.age().requestId(), Optional.empty(), modeAt(claim.paths(), path), true);
    }

    /**
     * Returns whether the table has room for another hold. Older claims are counted as holds. Without this rule,
     * younger requests without a conflict could fill the table again and again. In this case, the oldest request would
     * never acquire its locks.
     */
    private boolean hasRoomForHold() {
        List<SortedMap<TreePath, LockMode>> existing = Stream.concat(
                        table.holds().values().stream().map(Held::paths),
                        olderClaims().map(claim -> claim.getValue().paths()))
                .toList();
        return hasRoom(existing, wanted);
    }

    /**
     * Returns whether a table with these holds or claims has room for one more entry. An empty table has room for any
     * entry.
     */
    static boolean hasRoom(Collection<SortedMap<TreePath, LockMode>> existing, SortedMap<TreePath, LockMode> wanted) {
        return existing.isEmpty()
                || (existing.size() < LockTable.MOST_ENTRIES
                        && existing.stream().mapToLong(GrantRule::characters).sum() + characters(wanted)
                                <= LockTable.MOST_CHARACTERS);
    }

    private static long characters(SortedMap<TreePath, LockMode> paths) {
        return paths.keySet().stream().mapToLong(path -> path.text().length()).sum();
    }
}
