package org.treerename.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * Elements of several namespaces that wait for their turn. The namespaces take turns, and the elements of one namespace
 * keep their order. So the elements of a namespace that may not begin delay no other namespace. Only one thread calls
 * this class.
 */
final class Turns<T> {

    /** The waiting elements. The first namespace of this map has the next turn. */
    private final SequencedMap<String, Deque<T>> byNamespace = new LinkedHashMap<>();

    void add(String namespace, T element) {
        byNamespace.computeIfAbsent(namespace, name -> new ArrayDeque<>()).addLast(element);
    }

    /** Removes and returns the next element of a namespace that may begin one. */
    Optional<T> next(Predicate<String> mayBegin) {
        for (Map.Entry<String, Deque<T>> waiting : byNamespace.entrySet()) {
            if (mayBegin.test(waiting.getKey())) {
                T next = waiting.getValue().removeFirst();
                byNamespace.remove(waiting.getKey());
                if (!waiting.getValue().isEmpty()) {
                    byNamespace.putLast(waiting.getKey(), waiting.getValue());
                }
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    void clear() {
        byNamespace.clear();
    }
}
