package org.treerename.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Stores the values of a control index in memory, by id. Each write has a unique sequence number, even if a document is
 * deleted and created again. Each call is atomic. Any thread may call this class.
 */
public final class InMemoryControlIndex {

    private static final long PRIMARY_TERM = 1;

    private final Map<String, Versioned<Object>> documents = new TreeMap<>();
    private long lastSeqNo = -1;

    public synchronized WriteResult create(String id, Object value) {
        return documents.containsKey(id) ? new WriteResult.Conflict() : put(id, value);
    }

    public synchronized WriteResult write(String id, Version seen, Object value) {
        Versioned<Object> found = documents.get(id);
        return found != null && found.version().equals(seen) ? put(id, value) : new WriteResult.Conflict();
    }

    public synchronized WriteResult delete(String id, Version seen) {
        Versioned<Object> found = documents.get(id);
        if (found == null || !found.version().equals(seen)) {
            return new WriteResult.Conflict();
        }
        documents.remove(id);
        lastSeqNo++;
        return new WriteResult.Written(new Version(lastSeqNo, PRIMARY_TERM));
    }

    public synchronized <T> Optional<Versioned<T>> read(String id, Class<T> kind) {
        return Optional.ofNullable(documents.get(id))
                .map(found -> new Versioned<>(kind.cast(found.value()), found.version()));
    }

    /**
     * Applies a script to the value with this id, as a scripted update does. An empty result deletes the value. If the
     * result equals the value, nothing is written.
     */
    public synchronized <T> Optional<T> update(String id, Class<T> kind, UnaryOperator<Optional<T>> script) {
        Optional<T> before = read(id, kind).map(Versioned::value);
        Optional<T> after = script.apply(before);
        if (after.isEmpty()) {
            documents.remove(id);
        } else if (!after.equals(before)) {
            put(id, after.get());
        }
        return after;
    }

    /** Returns all values that are instances of a Java class, in the order of their ids. */
    public synchronized <T> List<T> all(Class<T> kind) {
        List<T> values = new ArrayList<>();
        for (Versioned<Object> document : documents.values()) {
            if (kind.isInstance(document.value())) {
                values.add(kind.cast(document.value()));
            }
        }
        return values;
    }

    private WriteResult put(String id, Object value) {
        lastSeqNo++;
        Version version = new Version(lastSeqNo, PRIMARY_TERM);
        documents.put(id, new Versioned<>(value, version));
        return new WriteResult.Written(version);
    }
}
