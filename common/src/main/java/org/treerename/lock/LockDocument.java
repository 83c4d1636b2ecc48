package org.treerename.lock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.treerename.path.Path;

/**
 * Who holds and who claims one path, and the rule by which a lock is given.
 *
 * <p>A hold is given unless another hold, or another request's older claim, stands there in an incompatible mode. Where it
 * is refused the refused request's claim is left in the same update. The same rule stands in Painless in {@code
 * acquire-lock.painless}; one contract test binds both.
 *
 * @param holds by hold id
 * @param claims by request id
 */
public record LockDocument(
        String namespace, Path path, SortedMap<String, Held> holds, SortedMap<String, Claim> claims) {

    /** One attempt's entry. */
    public record Held(Hold hold, LockMode mode) {}

    /** What a refused request left: younger ones in an incompatible mode respect it. */
    public record Claim(Age age, LockMode mode) {}

    /** A hold or a claim that refuses somebody, in words for people and by its request. */
    public record Blocker(Path path, String requestId, Optional<Held> held, LockMode mode) {
        @Override
        public String toString() {
            String how = mode == LockMode.EXCLUSIVE ? "exclusively" : "as shared";
            return held.map(h -> path + " is held " + how + " by request " + requestId + " of process "
                            + h.hold().processId())
                    .orElseGet(() -> path + " is claimed " + how + " by the older request " + requestId);
        }
    }

    public LockDocument {
        holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    public static LockDocument empty(String namespace, Path path) {
        return new LockDocument(namespace, path, new TreeMap<>(), new TreeMap<>());
    }

    /** The lock set of this path alone; in which mode it is taken does not matter for a release. */
    public LockSet alone() {
        return new LockSet(namespace, new TreeMap<>(Map.of(path, LockMode.EXCLUSIVE)));
    }

    public boolean isHeldBy(String holdId) {
        return holds.containsKey(holdId);
    }

    public boolean isEmpty() {
        return holds.isEmpty() && claims.isEmpty();
    }

    /** What refuses this hold; empty if it would be given. */
    public List<Blocker> blockersOf(Hold hold, LockMode mode) {
        List<Blocker> blockers = new ArrayList<>();
        holds.forEach((id, held) -> {
            if (!id.equals(hold.holdId()) && !held.mode().isCompatibleWith(mode)) {
                blockers.add(new Blocker(path, held.hold().requestId(), Optional.of(held), held.mode()));
            }
        });
        claims.forEach((requestId, claim) -> {
            if (!requestId.equals(hold.requestId())
                    && claim.age().isOlderThan(hold.age())
                    && !claim.mode().isCompatibleWith(mode)) {
                blockers.add(new Blocker(path, requestId, Optional.empty(), claim.mode()));
            }
        });
        return blockers;
    }

    /** After one attempt to take it: with the hold, or with the refused request's claim. */
    public LockDocument taken(Hold hold, LockMode mode) {
        if (isHeldBy(hold.holdId())) {
            return this;
        }
        return blockersOf(hold, mode).isEmpty()
                ? new LockDocument(namespace, path, with(holds, hold.holdId(), new Held(hold, mode)), claims)
                : new LockDocument(namespace, path, holds, with(claims, hold.requestId(), claimOf(hold, mode)));
    }

    /** A request that was asked again stands in the log twice, and what its later record attempts makes it no younger. */
    private Claim claimOf(Hold hold, LockMode mode) {
        Claim standing = claims.get(hold.requestId());
        return new Claim(
                standing != null && standing.age().isOlderThan(hold.age()) ? standing.age() : hold.age(), mode);
    }

    /** Without what the release names. */
    public LockDocument released(Release release) {
        return new LockDocument(
                namespace,
                path,
                without(holds, release.holdIds()::contains),
                without(
                        claims,
                        release.claimOf()
                                .map(c -> (Function<String, Boolean>) c::equals)
                                .orElse(id -> false)));
    }

    private static <V> SortedMap<String, V> with(SortedMap<String, V> map, String key, V value) {
        SortedMap<String, V> copy = new TreeMap<>(map);
        copy.put(key, value);
        return copy;
    }

    private static <V> SortedMap<String, V> without(SortedMap<String, V> map, Function<String, Boolean> gone) {
        SortedMap<String, V> copy = new TreeMap<>(map);
        copy.keySet().removeIf(gone::apply);
        return copy;
    }
}
