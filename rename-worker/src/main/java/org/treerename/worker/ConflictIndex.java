package org.treerename.worker;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockIndex;
import org.treerename.lock.LockSet;

/**
 * Keeps the requests of a partition that have not ended, by their footprints. The index finds the requests that
 * conflict with a new request. It does not compare the new request with each of the kept requests. Only one thread
 * calls this class.
 *
 * <p>A later request may represent an earlier request under two conditions. First, the later request waits for the end
 * of the earlier request. Second, every request that conflicts with the earlier request also conflicts with the later
 * request. A new request that waits for the later request begins after both requests. So the index returns only the
 * later request. Without this rule, ten thousand requests for the same locks would form fifty million pairs. With this
 * rule, the requests form a chain.
 *
 * @param <T> the type of the requests, which are compared by {@code equals}
 */
final class ConflictIndex<T> {

    private final Map<String, Area<T>> areas = new HashMap<>();

    /** The requests of one namespace. */
    private static final class Area<T> {

        /** The last request whose locks are not known. It represents all earlier requests of its namespace. */
        private @Nullable T unknown;

        private final LockIndex<T> index = new LockIndex<>();

        private final Set<T> indexed = new LinkedHashSet<>();

        /** Each of these requests represents the previous request with its lock set. */
        private final Map<LockSet, T> last = new HashMap<>();

        private boolean isEmpty() {
            return unknown == null && indexed.isEmpty();
        }

        private Set<T> before() {
            Set<T> before = new LinkedHashSet<>(indexed);
            if (unknown != null) {
                before.add(unknown);
            }
            return before;
        }

        private Set<T> add(T request, LockSet locks) {
            Set<T> before = index.conflicting(locks);
            if (unknown != null) {
                before = new LinkedHashSet<>(before);
                before.add(unknown);
            }
            T represented = last.put(locks, request);
            if (represented != null && before.contains(represented)) {
                index.remove(represented, locks);
                indexed.remove(represented);
            }
            index.add(request, locks);
            indexed.add(request);
            return before;
        }

        private void remove(T request, LockSet locks) {
            if (indexed.remove(request)) {
                index.remove(request, locks);
                last.remove(locks, request);
            }
        }
    }

    /**
     * Adds the next request.
     * @return the earlier requests that conflict with this request, except requests that another request represents
     */
    Set<T> add(T request, Footprint footprint) {
        return switch (footprint) {
            case Footprint.Nothing nothing -> Set.of();
            case Footprint.Locks(LockSet locks) ->
                areas.computeIfAbsent(locks.namespace(), name -> new Area<>()).add(request, locks);
            case Footprint.Unknown(String namespace) -> {
                Area<T> area = new Area<>();
                area.unknown = request;
                Area<T> represented = areas.put(namespace, area);
                yield represented == null ? Set.of() : represented.before();
            }
        };
    }

    /**
     * Removes a request that has ended. The requests that this request represented do not return to the index.
     *
     * @param footprint the footprint that was passed to {@link #add}
     */
    void remove(T request, Footprint footprint) {
        switch (footprint) {
            case Footprint.Nothing nothing -> {}
            case Footprint.Locks(LockSet locks) -> {
                Area<T> area = areas.get(locks.namespace());
                if (area != null) {
                    area.remove(request, locks);
                    forgetIfEmpty(locks.namespace(), area);
                }
            }
            case Footprint.Unknown(String namespace) -> {
                Area<T> area = areas.get(namespace);
                if (area != null && request.equals(area.unknown)) {
                    area.unknown = null;
                    forgetIfEmpty(namespace, area);
                }
            }
        }
    }

    private void forgetIfEmpty(String namespace, Area<T> area) {
        if (area.isEmpty()) {
            areas.remove(namespace);
        }
    }

    void clear() {
        areas.clear();
    }

    /** Returns whether the index contains no request. */
    boolean isEmpty() {
        return areas.isEmpty();
    }
}
