package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;

/**
 * One copy of one shard. The copy contains documents by their ids. Each write that changes the copy receives a sequence
 * number and the primary term. A delete is also a write, and leaves a tombstone. Each document has an external version,
 * too. Each write increases this version, unless another system gives it. A search sees the documents of the last
 * refresh.
 *
 * <p>Elasticsearch deletes old tombstones, but this class keeps them. The difference is not visible, because no
 * simulated request arrives so late.
 */
final class Shard {

    /**
     * One document.
     *
     * @param external the external version of the document; each write increases it by one, unless another system gives
     *     the version
     */
    record Stored(Object value, Version version, long external) {}

    private final SortedMap<String, Stored> documents;

    /** The external version of each deletion, by document id. */
    private final SortedMap<String, Long> deleted = new TreeMap<>();

    private SortedMap<String, Stored> visible;

    /** The documents that are on disk; null if every acknowledged write is on disk. */
    private @Nullable SortedMap<String, Stored> onDisk;

    private long lastSeqNo;
    private long term;
    private boolean changed;

    Shard() {
        this(new TreeMap<>(), new TreeMap<>(), -1, 1);
    }

    private Shard(SortedMap<String, Stored> documents, SortedMap<String, Stored> visible, long lastSeqNo, long term) {
        this.documents = documents;
        this.visible = visible;
        this.lastSeqNo = lastSeqNo;
        this.term = term;
    }

    /** Returns an independent copy of the current state. */
    Shard copy() {
        Shard copy = new Shard(new TreeMap<>(documents), visible, lastSeqNo, term);
        copy.changed = changed;
        copy.deleted.putAll(deleted);
        return copy;
    }

    /** Returns a shard of a new index with the same documents. Each document receives a version that it never had. */
    Shard recreated() {
        Shard again = new Shard(new TreeMap<>(), new TreeMap<>(), lastSeqNo, term + 1);
        documents.forEach((id, stored) -> again.documents.put(
                id, new Stored(stored.value(), new Version(stored.version().seqNo(), again.term), stored.external())));
        again.changed = true;
        again.refresh();
        return again;
    }

    /** Sets whether this copy acknowledges writes before they are on disk. */
    void acknowledgeEarly(boolean isEarly) {
        onDisk = isEarly ? new TreeMap<>(documents) : null;
    }

    /**
     * Forgets the writes that are not on disk and for which the predicate returns true, as a crash does.
     *
     * @return the ids of the documents whose writes were forgotten
     */
    List<String> crash(BiPredicate<Object, Object> isForgotten) {
        SortedMap<String, Stored> saved = onDisk == null ? new TreeMap<>() : onDisk;
        List<String> forgotten = new ArrayList<>();
        for (Map.Entry<String, Stored> old : saved.entrySet()) {
            Stored now = documents.get(old.getKey());
            if (now != null && isForgotten.test(old.getValue().value(), now.value())) {
                documents.put(old.getKey(), old.getValue());
                forgotten.add(old.getKey());
            }
        }
        failOver();
        changed = true;
        refresh();
        return forgotten;
    }

    /** Increases the primary term, as Elasticsearch does when another copy becomes the primary. */
    void failOver() {
        term++;
    }

    Optional<Stored> read(String id) {
        return Optional.ofNullable(documents.get(id));
    }

    WriteResult create(String id, Object value) {
        return documents.containsKey(id) ? new WriteResult.Conflict() : put(id, value);
    }

    /**
     * Writes a document if its version is equal to {@code seen}. If the versions differ, or if the document does not
     * exist, the result is a conflict.
     */
    WriteResult write(String id, Version seen, Object value) {
        return write(id, seen, value, 0);
    }

    /**
     * Writes a document if its version is equal to {@code seen}. The new external version is at least {@code external}.
     */
    WriteResult write(String id, Version seen, Object value, long external) {
        return isCurrent(id, seen) ? put(id, value, external) : new WriteResult.Conflict();
    }

    /**
     * Writes a document and gives it the external version of the condition. Changes nothing if the document or its
     * deletion is too new for the condition. Creates the document if it does not exist.
     */
    WriteResult write(String id, Condition.Above above, Object value) {
        return above.isOlderThan(external(id)) ? new WriteResult.Conflict() : written(id, value, above.version());
    }

    WriteResult delete(String id, Version seen) {
        return isCurrent(id, seen) ? delete(id) : new WriteResult.Conflict();
    }

    /**
     * Deletes a document and gives the deletion the external version of the condition. Changes nothing if the document
     * or its deletion is too new for the condition. The document need not exist.
     */
    WriteResult delete(String id, Condition.Above above) {
        return above.isOlderThan(external(id)) ? new WriteResult.Conflict() : delete(id, above.version());
    }

    /** Writes a document without a condition. */
    WriteResult put(String id, Object value) {
        return put(id, value, 0);
    }

    /** Writes a document without a condition. The new external version is at least {@code external}. */
    WriteResult put(String id, Object value, long external) {
        return written(id, value, Math.max(external(id) + 1, external));
    }

    private WriteResult written(String id, Object value, long external) {
        Version version = next();
        documents.put(id, new Stored(value, version, external));
        return new WriteResult.Written(version);
    }

    WriteResult delete(String id) {
        return delete(id, external(id) + 1);
    }

    private WriteResult delete(String id, long external) {
        documents.remove(id);
        deleted.put(id, external);
        return new WriteResult.Written(next());
    }

    private long external(String id) {
        Stored found = documents.get(id);
        return found == null ? deleted.getOrDefault(id, 0L) : found.external();
    }

    /**
     * Replaces a document by the result of a script. The argument of the script is null if the document does not exist.
     * If the result is null, this method deletes the document. If the result is equal to the document, this method
     * writes nothing.
     */
    @Nullable
    Object update(String id, UnaryOperator<@Nullable Object> script) {
        Stored found = documents.get(id);
        Object before = found == null ? null : found.value();
        Object after = script.apply(before);
        if (after == null && before != null) {
            delete(id);
        } else if (after != null && !after.equals(before)) {
            put(id, after);
        }
        return after;
    }

    void refresh() {
        if (changed) {
            visible = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
            changed = false;
        }
    }

    /**
     * Returns the documents that a search sees now. A point in time that is opened now contains the same documents
     * until it is closed.
     */
    SortedMap<String, Stored> visible() {
        return visible;
    }

    SortedMap<String, Stored> documents() {
        return Collections.unmodifiableSortedMap(documents);
    }

    long term() {
        return term;
    }

    /** Returns the version of the last write. */
    Version lastVersion() {
        return new Version(lastSeqNo, term);
    }

    private boolean isCurrent(String id, Version seen) {
        Stored found = documents.get(id);
        return found != null && found.version().equals(seen);
    }

    private Version next() {
        lastSeqNo++;
        changed = true;
        return new Version(lastSeqNo, term);
    }
}
