package org.treerename.lock;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.treerename.path.Path;

/**
 * Which of many conflict with one, by {@link LockSet#conflictsWith}, without a look at those that do not. One thread calls it.
 *
 * @param <T> whose lock sets they are; told apart by {@code equals}
 */
public final class LockIndex<T> {

    private record At(String namespace, Path path) {}

    private final Map<At, Map<LockMode, Set<T>>> takers = new HashMap<>();

    public void add(T taker, LockSet locks) {
        locks.modes()
                .forEach((path, mode) -> takers.computeIfAbsent(
                                new At(locks.namespace(), path), at -> new EnumMap<>(LockMode.class))
                        .computeIfAbsent(mode, m -> new LinkedHashSet<>())
                        .add(taker));
    }

    /** Takes it out, with the lock set under which it was put in; one that is not there stays so. */
    public void remove(T taker, LockSet locks) {
        locks.modes().forEach((path, mode) -> {
            At at = new At(locks.namespace(), path);
            Map<LockMode, Set<T>> here = takers.getOrDefault(at, Map.of());
            Set<T> same = here.getOrDefault(mode, Set.of());
            if (same.contains(taker)) {
                same.remove(taker);
            }
            if (here.values().stream().allMatch(Set::isEmpty)) {
                takers.remove(at);
            }
        });
    }

    /** Those whose lock set conflicts with this one. */
    public Set<T> conflicting(LockSet locks) {
        Set<T> found = new LinkedHashSet<>();
        locks.modes()
                .forEach((path, mode) -> takers.getOrDefault(new At(locks.namespace(), path), Map.of())
                        .forEach((taken, there) -> {
                            if (!taken.isCompatibleWith(mode)) {
                                found.addAll(there);
                            }
                        }));
        return found;
    }

    boolean isEmpty() {
        return takers.isEmpty();
    }
}
