package org.treerename.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * A lock table: the holds and the claims of one part of a namespace. The table grants or refuses locks of this part.
 *
 * <p>The first segments of the paths are divided into {@value #BUCKETS} buckets. Each bucket has a table, which
 * contains the locks on all paths of the bucket. The root has its own table. The path of each locked single document
 * also has its own table ({@link LockSet#documents}).
 *
 * <p>A table grants all locks that an attempt needs in the table, or none of them. A full table refuses the locks. A
 * table also refuses the locks if another hold, or an older claim of another request, {@linkplain #conflict conflicts}
 * with them. The update that refuses a request also adds the claim of the request. The script {@code
 * acquire-lock.painless} implements the same rule. One contract test checks both implementations.
 *
 * @param holds the holds, by hold id
 * @param claims the claims, by request id
 * @param releases the holds that were removed from the table; a reader of the tree compares these releases before and
 *     after its search
 */
public record LockTable(Id id, SortedMap<String, Held> holds, SortedMap<String, Claim> claims, Releases releases) {

    /**
     * The largest number of holds in one table, and the largest number of claims. The table refuses an attempt that
     * would exceed the limit, and the request waits and retries. Older claims of other requests are counted as holds.
     */
    public static final int MOST_ENTRIES = 1_000;

    /**
     * The largest total number of characters in the paths of all holds, and in the paths of all claims. Older claims of
     * other requests are counted as holds. A table with neither holds nor older claims grants any lock set.
     */
    public static final int MOST_CHARACTERS = 500_000;

    static final int BUCKETS = 16;

    private static final String ROOT = "root";

    /**
     * The id of a lock table.
     *
     * @param name the name of the bucket, {@code root}, or the path of the document
     * @param ofDocument whether the table contains only the locks on one document's path
     */
    public record Id(String namespace, String name, boolean ofDocument) implements Comparable<Id> {

        private static final Comparator<Id> ORDER = Comparator.<Id, String>comparing(Id::namespace)
                .thenComparing(id -> id.ofDocument())
                .thenComparing(id -> id.name());

        /** Returns the id of the table that contains the locks on a path. */
        public static Id of(String namespace, TreePath path) {
            return path.isRoot()
                    ? new Id(namespace, ROOT, false)
                    : new Id(namespace, bucket(path.notation().firstOf(path.text(), 1)), false);
        }

        /** Returns the ids of all tables of a namespace, except the tables of single documents. */
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
            return bucket < 10 ? "0" + bucket : String.valueOf(bucket);
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

    /** The entry of one attempt in a table: the hold and the locks of the attempt. */
    public record Held(Hold hold, SortedMap<TreePath, LockMode> paths) {
        public Held {
            paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
        }
    }

    /**
     * The holds that were removed from a table: by a release, by a sweep, or after the death of their process. The
     * table of a single document is deleted when it is empty, so it does not count its releases.
     *
     * @param count the number of removed holds since the table was created
     * @param last the request ids of the last {@value #MOST} removed holds, in the order of their removal
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

        /**
         * Returns the request ids of the holds that were removed since an earlier state. Returns empty if {@code last}
         * no longer contains all these ids.
         */
        public Optional<List<String>> since(Releases earlier) {
            long removed = count - earlier.count;
            return removed < 0 || removed > last.size()
                    ? Optional.empty()
                    : Optional.of(last.subList((int) (last.size() - removed), last.size()));
        }
    }

    /** The entry of a refused request. Younger requests that conflict with the claim are also refused. */
    public record Claim(LockPriority age, SortedMap<TreePath, LockMode> paths) {
        public Claim {
            paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
        }
    }

    /**
     * A hold or a claim that blocks a request.
     *
     * @param path the path of the hold or claim
     * @param held the entry of the hold; empty for a claim
     * @param isFull whether the table refuses only because it has no room for another hold
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
            String how = mode == LockMode.EXCLUSIVE ? "exclusively" : "in shared mode";
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

    /** Creates a table from which no hold has been removed. */
    public LockTable(Id id, SortedMap<String, Held> holds, SortedMap<String, Claim> claims) {
        this(id, holds, claims, Releases.NONE);
    }

    public static LockTable empty(Id id) {
        return new LockTable(id, new TreeMap<>(), new TreeMap<>());
    }

    /**
     * Returns whether two locks exclude each other. An exclusive lock excludes every other lock at or below its path,
     * and every exclusive lock above its path.
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

    /**
     * Returns whether the store deletes this table after the update that produced the table. The table of a bucket is
     * never deleted, because it counts its releases.
     */
    public boolean isForgotten() {
        return id.ofDocument() && isEmpty();
    }

    /** Returns a copy of this table with other holds and claims. */
    public LockTable with(SortedMap<String, Held> otherHolds, SortedMap<String, Claim> otherClaims) {
        return new LockTable(id, otherHolds, otherClaims, releases);
    }

    /** Returns the holds and claims that block this part of a lock set; empty if the table would grant the part. */
    public List<Blocker> blockersOf(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        return new GrantRule(this, hold, wanted).blockers();
    }

    /** Returns whether this table refuses the locks. Stops at the first conflict, unlike {@link #blockersOf}. */
    public boolean refuses(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        return new GrantRule(this, hold, wanted).refuses();
    }

    /** Returns whether a request that is refused now leaves a claim. A request that already has a claim keeps it. */
    public boolean hasRoomForClaim(String requestId, SortedMap<TreePath, LockMode> wanted) {
        return claims.containsKey(requestId)
                || GrantRule.hasRoom(claims.values().stream().map(Claim::paths).toList(), wanted);
    }

    /** Returns the table after an attempt: with the hold, or with a claim if the table refuses and has room. */
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

    /**
     * Returns the claim of a refused request. If a request has two records in Kafka, the claim keeps the age of the
     * older record.
     */
    private Claim claimOf(Hold hold, SortedMap<TreePath, LockMode> wanted) {
        @Nullable Claim existing = claims.get(hold.requestId());
        return new Claim(
                existing != null && existing.age().isOlderThan(hold.age()) ? existing.age() : hold.age(), wanted);
    }

    /** Returns the table without the holds and the claim that the release names. */
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

    private static <V> SortedMap<String, V> without(SortedMap<String, V> map, Predicate<String> removed) {
        SortedMap<String, V> copy = new TreeMap<>(map);
        copy.keySet().removeIf(removed);
        return copy;
    }
}
