package org.treerename.simulation.elasticsearch;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/**
 * One copy of one shard: documents by id, a sequence number for each write that changed something (a delete, too: it leaves
 * a tombstone), the primary term that gives it, and what the last refresh made visible to searches.
 */
final class Shard {

    /** One document. */
    record Stored(Object value, Version version) {}

    private final SortedMap<String, Stored> documents;
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
        return copy;
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
        return isCurrent(id, seen) ? put(id, value) : new WriteResult.Conflict();
    }

    WriteResult delete(String id, Version seen) {
        return isCurrent(id, seen) ? delete(id) : new WriteResult.Conflict();
    }

    /** Unconditionally, as anybody may. */
    WriteResult put(String id, Object value) {
        Version version = next();
        documents.put(id, new Stored(value, version));
        return new WriteResult.Written(version);
    }

    WriteResult delete(String id) {
        documents.remove(id);
        return new WriteResult.Written(next());
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
