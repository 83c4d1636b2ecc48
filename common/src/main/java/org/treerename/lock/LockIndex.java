package org.treerename.lock;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.path.TreePath;

/**
 * An index of lock sets. The index finds the lock sets that conflict with a given lock set. The index does not compare
 * the given lock set with every stored lock set. {@link LockSet#conflictsWith} defines a conflict. The index stores
 * each lock at the path of the lock, and a shared lock at each directory above this path. So two lock sets conflict if
 * the index stores locks of both sets at the same path, and at least one of these locks is exclusive. Only one thread
 * may call this class.
 *
 * @param <T> the type of the owners of the lock sets; owners are compared by {@code equals}
 */
public final class LockIndex<T> {

    private record At(String namespace, TreePath path) {}

    private final Map<At, Map<LockMode, Set<T>>> owners = new HashMap<>();

    public void add(T owner, LockSet locks) {
        withAncestors(locks)
                .forEach((path, mode) -> owners.computeIfAbsent(
                                new At(locks.namespace(), path), at -> new EnumMap<>(LockMode.class))
                        .computeIfAbsent(mode, m -> new LinkedHashSet<>())
                        .add(owner));
    }

    /** Removes an owner. The lock set must be equal to the lock set that was added for this owner. */
    public void remove(T owner, LockSet locks) {
        withAncestors(locks).forEach((path, mode) -> {
            At at = new At(locks.namespace(), path);
            Map<LockMode, Set<T>> here = owners.getOrDefault(at, Map.of());
            Set<T> same = here.getOrDefault(mode, Set.of());
            if (same.contains(owner)) {
                same.remove(owner);
            }
            if (here.values().stream().allMatch(Set::isEmpty)) {
                owners.remove(at);
            }
        });
    }

    /** Returns the owners whose lock sets conflict with the given lock set. */
    public Set<T> conflicting(LockSet locks) {
        Set<T> found = new LinkedHashSet<>();
        withAncestors(locks)
                .forEach((path, mode) -> owners.getOrDefault(new At(locks.namespace(), path), Map.of())
                        .forEach((indexedMode, indexedOwners) -> {
                            if (!indexedMode.isCompatibleWith(mode)) {
                                found.addAll(indexedOwners);
                            }
                        }));
        return found;
    }

    private static SortedMap<TreePath, LockMode> withAncestors(LockSet locks) {
        SortedMap<TreePath, LockMode> all = new TreeMap<>();
        for (TreePath path : locks.modes().keySet()) {
            all.put(path.notation().root(), LockMode.SHARED);
            path.properAncestors().forEach(above -> all.put(above, LockMode.SHARED));
        }
        locks.modes().forEach((path, mode) -> all.merge(path, mode, LockIndex::stronger));
        return all;
    }

    private static LockMode stronger(LockMode one, LockMode other) {
        return one.isAtLeast(other) ? one : other;
    }

    boolean isEmpty() {
        return owners.isEmpty();
    }
}
