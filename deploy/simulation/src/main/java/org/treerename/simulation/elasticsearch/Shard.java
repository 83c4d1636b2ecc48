package org.treerename.simulation.elasticsearch;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Condition;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * One copy of one shard: documents by id, a sequence number for each write that changed something (a delete, too: it leaves
 * a tombstone), the primary term that gives it, the version that it or another system gives each document, and what the last
 * refresh made visible to searches. In which version a document was deleted is never forgotten: nothing arrives so late.
 */
final class Shard {

    /**
     * One document.
     *
     * @param external its version, one more with each write unless another system gives it
     */
    record Stored(Object value, Version version, long external) {}

    private final SortedMap<String, Stored> documents;

    /** In which versions documents were deleted. */
    private final SortedMap<String, Long> deleted = new TreeMap<>();

    private SortedMap<String, Stored> visible;
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

    /** As it stands now; what happens to one of both from now on does not happen to the other. */
    Shard copy() {
        Shard copy = new Shard(new TreeMap<>(documents), visible, lastSeqNo, term);
        copy.changed = changed;
        copy.deleted.putAll(deleted);
        return copy;
    }

    /** Returns a shard of a new index with the same documents, in versions that no client has read. */
    Shard madeAgain() {
        Shard again = new Shard(new TreeMap<>(), new TreeMap<>(), lastSeqNo, term + 1);
        documents.forEach((id, stored) -> again.documents.put(
                id, new Stored(stored.value(), new Version(stored.version().seqNo(), again.term), stored.external())));
        again.changed = true;
        again.refresh();
        return again;
    }

    /** Another copy becomes the primary. */
    void failOver() {
        term++;
    }

    Optional<Stored> read(String id) {
        return Optional.ofNullable(documents.get(id));
    }

    WriteResult create(String id, Object value) {
        return documents.containsKey(id) ? new WriteResult.Conflict() : put(id, value);
    }

    /** A document that is gone is in no version. */
    WriteResult write(String id, Version seen, Object value) {
        return write(id, seen, value, 0);
    }

    /** In a version that is this one at least. */
    WriteResult write(String id, Version seen, Object value, long external) {
        return isCurrent(id, seen) ? put(id, value, external) : new WriteResult.Conflict();
    }

    /** A document that is gone is made again, but over a deletion that is too new. */
    WriteResult write(String id, Condition.Above above, Object value) {
        return above.isOlderThan(external(id)) ? new WriteResult.Conflict() : written(id, value, above.version());
    }

    WriteResult delete(String id, Version seen) {
        return isCurrent(id, seen) ? delete(id) : new WriteResult.Conflict();
    }

    /** Also of a document that is not there. */
    WriteResult delete(String id, Condition.Above above) {
        return above.isOlderThan(external(id)) ? new WriteResult.Conflict() : delete(id, above.version());
    }

    /** Unconditionally, as anybody may. */
    WriteResult put(String id, Object value) {
        return put(id, value, 0);
    }

    /** In a version that is this one at least. */
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

    /** The version of a document, or of its deletion, or 0. */
    private long external(String id) {
        Stored found = documents.get(id);
        return found == null ? deleted.getOrDefault(id, 0L) : found.external();
    }

    /** What a script makes of what stands there, or of nothing; where it changes nothing, nothing is written. */
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

    /** What a search finds now, and a point in time that is opened now ever after. */
    SortedMap<String, Stored> visible() {
        return visible;
    }

    SortedMap<String, Stored> documents() {
        return Collections.unmodifiableSortedMap(documents);
    }

    long term() {
        return term;
    }

    /** Of the last write. */
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
