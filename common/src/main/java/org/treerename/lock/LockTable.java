package org.treerename.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * The holds and the claims of one part of a namespace, and the rule by which a lock set is granted there.
 *
 * <p>A table covers all paths whose first segment falls into one of {@value #BUCKETS} buckets; the root has a table of its own, and so has the path of
 * each single document that is locked ({@link LockSet#documents}). What an attempt wants of a table is granted whole, or not at all: it is granted unless another hold, or another request's older
 * claim, {@linkplain #conflict conflicts} with it, or the table is full. A refused request leaves its claim in the same update. {@code
 * acquire-lock.painless} has the same rule; one contract test binds both.
 *
 * @param holds by hold id
 * @param claims by request id
 * @param releases the holds that have left it; a reader of the tree compares them before and after its search
 */
public record LockTable(Id id, SortedMap<String, Held> holds, SortedMap<String, Claim> claims, Releases releases) {

    /** The most holds of one table, and the most claims. An attempt that would exceed it waits, as for a lock; the older claims of other requests count as holds. */
    public static final int MOST_ENTRIES = 1_000;

    /** Characters of the paths, counted in the same way. A table without a hold and without an older claim grants any lock set. */
    public static final int MOST_CHARACTERS = 500_000;

    static final int BUCKETS = 16;

    private static final String ROOT = "root";

    /**
     * Identifies a table.
     *
     * @param name of the bucket, or the path of the document
     * @param ofDocument whether it is the table of one document's path
     */
    public record Id(String namespace, String name, boolean ofDocument) implements Comparable<Id> {

        private static final Comparator<Id> ORDER = Comparator.<Id, String>comparing(Id::namespace)
                .thenComparing(id -> id.ofDocument())
                .thenComparing(id -> id.name());

        /** The table of a path's bucket. */
        public static Id of(String namespace, TreePath path) {
            return path.isRoot()
                    ? new Id(namespace, ROOT, false)
                    : new Id(namespace, bucket(path.notation().firstOf(path.text(), 1)), false);
        }

        /** Returns all tables of a namespace but those of single documents. */
        public static List<Id> all(String namespace) {
            List<Id> all = new ArrayList<>();
            all.add(new Id(namespace, ROOT, false));
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                all.add(new Id(namespace, name(bucket), false));
            }
            return all;
        }

        static Id ofDocument(String namespace, TreePath path) {
            return new Id(namespace, path.text(), true);
        }

        private static String bucket(String first) {
            return name(Math.floorMod(first.hashCode(), BUCKETS));
        }

        private static String name(int bucket) {
            return String.format(Locale.ROOT, "%02d", bucket);
        }

        @Override
        public int compareTo(Id other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return (ofDocument ? "the lock document of " : "the lock table ") + name + " in " + namespace;
        }
    }

    /** The entry of one attempt. */
    public record Held(Hold hold, SortedMap<TreePath, LockMode> paths) {
        public Held {
            paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
        }
    }

    /**
     * The holds that have left a table: released, swept, or removed with a dead process. The table of a single document is deleted when it is
     * empty, so it counts none.
     *
     * @param count how many since the table was created
     * @param last the request ids of the last {@value #MOST} of them, the latest last
     */
    public record Releases(long count, List<String> last) {

        public static final int MOST = 32;
        public static final Releases NONE = new Releases(0, List.of());

        public Releases {
            last = List.copyOf(last);
        }

        Releases and(String requestId) {
            List<String> next = new ArrayList<>(last);
            next.add(requestId);
            return new Releases(count + 1, next.subList(Math.max(0, next.size() - MOST), next.size()));
        }

        /** Returns the request ids of the holds that have left the table since an earlier state of it; empty if the list does not reach back that far. */
        public Optional<List<String>> since(Releases earlier) {
            long more = count - earlier.count;
            return more < 0 || more > last.size()
                    ? Optional.empty()
                    : Optional.of(last.subList((int) (last.size() - more), last.size()));
        }
    }

    /** The entry of a refused request: younger requests that conflict with it are refused, too. */
    public record Claim(LockPriority age, SortedMap<TreePath, LockMode> paths) {
        public Claim {
            paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
        }
    }

    /**
     * A hold or a claim that refuses a request.
     *
     * @param path of the hold or claim
     * @param held empty for a claim
     * @param isFull whether it refuses only because the table has no room for another hold
     */
    public record Blocker(TreePath path, String requestId, Optional<Held> held, LockMode mode, boolean isFull) {

        Blocker(TreePath path, Held held) {
            this(path, held.hold().requestId(), Optional.of(held), modeAt(held, path), false);
        }

        private static LockMode modeAt(Held held, TreePath path) {
            return held.paths().getOrDefault(path, LockMode.EXCLUSIVE);
        }

        Blocker(TreePath path, String requestId, LockMode mode) {
            this(path, requestId, Optional.empty(), mode, false);
        }

        @Override
        public String toString() {
            String how = mode == LockMode.EXCLUSIVE ? "exclusively" : "as shared";
            String words = held.map(h -> path + " is held " + how + " by request " + requestId + " of process "
                            + h.hold().processId())
                    .orElseGet(() -> path + " is claimed " + how + " by the older request " + requestId);
            return isFull ? "the lock table is full; its oldest entry: " + words : words;
        }
    }

    public LockTable {
        holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    /** A table that no hold has left. */
    public LockTable(Id id, SortedMap<String, Held> holds, SortedMap<String, Claim> claims) {
        this(id, holds, claims, Releases.NONE);
    }

    public static LockTable empty(Id id) {
        return new LockTable(id, new TreeMap<>(), new TreeMap<>());
    }

    /**
     * Returns whether two locks exclude each other. An exclusive lock excludes every other lock at its path or below it, and every exclusive
     * lock above it.
     */
    public static boolean conflict(TreePath one, LockMode mode, TreePath other, LockMode otherMode) {
        return excludes(one, mode, other) || excludes(other, otherMode, one);
    }

    private static boolean excludes(TreePath one, LockMode mode, TreePath other) {
        return mode == LockMode.EXCLUSIVE && other.isAtOrBelow(one);
    }

    public boolean isHeldBy(String holdId) {
        return holds.containsKey(holdId);
    }

    public boolean isEmpty() {
        return holds.isEmpty() && claims.isEmpty();
    }

    /** Returns whether the update that leaves the table like this deletes it. The table of a bucket stays, because it counts its releases. */
    public boolean isForgotten() {
        return id.ofDocument() && isEmpty();
    }

    /** Returns the table with other holds and claims. */
    public LockTable with(SortedMap<String, Held> otherHolds, SortedMap<String, Claim> otherClaims) {
        return new LockTable(id, otherHolds, otherClaims, releases);
    }

    /** Returns what refuses this part of a lock set; empty if it would be granted. */
    public List<Blocker> blockersOf(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        List<Blocker> conflicts = conflicts(hold, wanted).toList();
        return conflicts.isEmpty() && isFullFor(hold, wanted) ? List.of(oldest()) : conflicts;
    }

    /** Returns whether {@link #blockersOf} would name any, without looking for more than one. */
    public boolean refuses(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        return conflicts(hold, wanted).findFirst().isPresent() || isFullFor(hold, wanted);
    }

    /** The holds and older claims that conflict, found one by one. */
    private Stream<Blocker> conflicts(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        Stream<Blocker> ofHolds = holds.entrySet().stream()
                .filter(held -> !held.getKey().equals(hold.holdId()))
                .flatMap(held ->
                        conflicting(held.getValue().paths(), wanted)
                                .map(path -> new Blocker(path, held.getValue()))
                                .stream());
        Stream<Blocker> ofClaims = olderClaims(hold)
                .flatMap(claim -> conflicting(claim.getValue().paths(), wanted)
                        .map(path -> new Blocker(
                                path, claim.getKey(), modeAt(claim.getValue().paths(), path)))
                        .stream());
        return Stream.concat(ofHolds, ofClaims);
    }

    private boolean isFullFor(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        return !isHeldBy(hold.holdId()) && !hasRoomForHold(hold, wanted);
    }

    /** By request id. */
    private Stream<Map.Entry<String, Claim>> olderClaims(Hold hold) {
        return claims.entrySet().stream()
                .filter(claim -> !claim.getKey().equals(hold.requestId()))
                .filter(claim -> claim.getValue().age().isOlderThan(hold.age()));
    }

    private static LockMode modeAt(SortedMap<TreePath, LockMode> paths, TreePath path) {
        return paths.getOrDefault(path, LockMode.EXCLUSIVE);
    }

    /** Returns the first of these paths that conflicts with what is wanted. */
    private static Optional<TreePath> conflicting(
            SortedMap<TreePath, LockMode> taken, SortedMap<TreePath, LockMode> wanted) {
        for (Map.Entry<TreePath, LockMode> one : taken.entrySet()) {
            for (Map.Entry<TreePath, LockMode> other : wanted.entrySet()) {
                if (conflict(one.getKey(), one.getValue(), other.getKey(), other.getValue())) {
                    return Optional.of(one.getKey());
                }
            }
        }
        return Optional.empty();
    }

    /** The oldest hold of a full table or, if it has claims only, the oldest claim. */
    private Blocker oldest() {
        Optional<Held> held = holds.values().stream()
                .min(Comparator.comparing(one -> one.hold().age()));
        if (held.isPresent()) {
            TreePath path = held.get().paths().firstKey();
            return new Blocker(
                    path, held.get().hold().requestId(), held, modeAt(held.get().paths(), path), true);
        }
        Claim claim =
                claims.values().stream().min(Comparator.comparing(Claim::age)).orElseThrow();
        TreePath path = claim.paths().firstKey();
        return new Blocker(path, claim.age().requestId(), Optional.empty(), modeAt(claim.paths(), path), true);
    }

    /** If the older claims did not count, younger requests that conflict with nothing could take the room before the oldest one for ever. */
    private boolean hasRoomForHold(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        List<Claim> older = olderClaims(hold).map(Map.Entry::getValue).toList();
        int entries = holds.size() + older.size();
        long characters = holds.values().stream()
                        .mapToLong(held -> characters(held.paths()))
                        .sum()
                + older.stream().mapToLong(claim -> characters(claim.paths())).sum();
        return entries == 0 || (entries < MOST_ENTRIES && characters + characters(wanted) <= MOST_CHARACTERS);
    }

    /** Returns whether a request that is refused now would leave a claim; one that has a claim already keeps it. */
    public boolean hasRoomForClaim(String requestId, SortedMap<TreePath, LockMode> wanted) {
        return claims.isEmpty()
                || claims.containsKey(requestId)
                || (claims.size() < MOST_ENTRIES
                        && claims.values().stream()
                                                .mapToLong(claim -> characters(claim.paths()))
                                                .sum()
                                        + characters(wanted)
                                <= MOST_CHARACTERS);
    }

    private static long characters(SortedMap<TreePath, LockMode> paths) {
        return paths.keySet().stream().mapToLong(path -> path.text().length()).sum();
    }

    /** Returns the table after one attempt: with the hold, or with the claim of the refused request. */
    public LockTable taken(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        if (isHeldBy(hold.holdId())) {
            return this;
        }
        if (blockersOf(hold, wanted).isEmpty()) {
            return with(with(holds, hold.holdId(), new Held(hold, wanted)), claims);
        }
        return hasRoomForClaim(hold.requestId(), wanted)
                ? with(holds, with(claims, hold.requestId(), claimOf(hold, wanted)))
                : this;
    }

    /** A request that was asked again has two records in the log. The later record does not make its claim younger. */
    private Claim claimOf(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        @Nullable Claim standing = claims.get(hold.requestId());
        return new Claim(
                standing != null && standing.age().isOlderThan(hold.age()) ? standing.age() : hold.age(), wanted);
    }

    /** Returns the table without what the release names. */
    public LockTable released(Release release) {
        return new LockTable(
                id,
                without(holds, release.holdIds()::contains),
                without(
                        claims,
                        requestId -> release.claimOf().filter(requestId::equals).isPresent()),
                id.ofDocument() ? releases : counted(release));
    }

    private Releases counted(Release release) {
        Releases counted = releases;
        for (Map.Entry<String, Held> held : holds.entrySet()) {
            if (release.holdIds().contains(held.getKey())) {
                counted = counted.and(held.getValue().hold().requestId());
            }
        }
        return counted;
    }

    private static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
        SortedMap<String, V> copy = new TreeMap<>(map);
        copy.put(key, value);
        return copy;
    }

    private static <V> SortedMap<String, V> without(SortedMap<String, V> map, Predicate<String> gone) {
        SortedMap<String, V> copy = new TreeMap<>(map);
        copy.keySet().removeIf(gone);
        return copy;
    }
}
