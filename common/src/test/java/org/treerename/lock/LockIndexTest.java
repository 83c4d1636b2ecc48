package org.treerename.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.path.TreePath;

class LockIndexTest {

    /** Compares the results of the index with the rule of {@link LockSet#conflictsWith}, for renames and writers. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void finds_only_the_lock_sets_that_conflict(long seed) {
        Random random = new Random(seed);
        LockIndex<Integer> index = new LockIndex<>();
        Map<Integer, LockSet> indexed = new HashMap<>();
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            LockSet next = lockSet(random);
            Set<Integer> expected = indexed.entrySet().stream()
                    .filter(e -> e.getValue().conflictsWith(next))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            assertThat(index.conflicting(next)).isEqualTo(expected);
            found += expected.size();
            index.add(i, next);
            indexed.put(i, next);
            if (indexed.size() > 30) {
                int removed = indexed.keySet().stream()
                        .skip(random.nextInt(30))
                        .findFirst()
                        .orElseThrow();
                LockSet locks = Objects.requireNonNull(indexed.get(removed));
                indexed.remove(removed);
                index.remove(removed, locks);
                index.remove(removed, locks);
            }
        }
        indexed.forEach(index::remove);
        assertThat(found).isPositive();
        assertThat(index.isEmpty()).isTrue();
    }

    private static LockSet lockSet(Random random) {
        String namespace = random.nextInt(4) == 0 ? "m" : "n";
        return switch (random.nextInt(20)) {
            case 19 ->
                LockSet.whole(namespace, TreePath.ROOT, random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE);
            case 0, 1, 2, 3 -> LockSet.ofWriter(namespace, List.of(path(random), path(random)));
            case 4, 5, 6, 7 -> mixed(namespace, path(random), path(random));
            default -> LockSet.tree(namespace, path(random), path(random));
        };
    }

    private static LockSet mixed(String namespace, TreePath exclusive, TreePath shared) {
        SortedMap<TreePath, LockMode> modes = new TreeMap<>(Map.of(shared, LockMode.SHARED));
        modes.put(exclusive, LockMode.EXCLUSIVE);
        return new LockSet(namespace, modes);
    }

    private static TreePath path(Random random) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append((char) ('a' + random.nextInt(5)));
        }
        return new TreePath(path.toString());
    }
}
