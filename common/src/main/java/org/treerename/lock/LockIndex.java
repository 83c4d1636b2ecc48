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
 * Finds the lock sets that conflict with one, by {@link LockSet#conflictsWith}, without a comparison with all others. It keeps each lock also at the directories above its path, there as shared: then two
 * sets conflict where they have a path in common that one of them has as exclusive. One thread calls it.
 *
 * @param <T> the owners of the lock sets, compared by {@code equals}
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

    /** Removes an owner, with the lock set under which it was added. */
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

    /** Returns the owners whose lock sets conflict with this one. */
    public Set<T> conflicting(LockSet locks) {
        Set<T> found = new LinkedHashSet<>();
        withAncestors(locks)
                .forEach((path, mode) -> owners.getOrDefault(new At(locks.namespace(), path), Map.of())
                        .forEach((taken, there) -> {
                            if (!taken.isCompatibleWith(mode)) {
                                found.addAll(there);
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
