package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalStep;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;

/**
 * The part of the cluster that one request reaches: one copy of each shard. A request that writes to a cut-off copy is
 * never acknowledged.
 */
public final class View {

    private final Cluster cluster;
    private Sender sender;
    private final int node;
    private final int coordinator;
    private boolean unacknowledged;
    private boolean stale;
    private boolean dirty;
    private boolean compared;

    /**
     * @param node the node whose copies the request reaches, see {@link Replicated#metBy}
     * @param coordinator the node that the sender reaches; a cut-off node knows only the copies that existed when it
     *     was cut off
     */
    public View(Cluster cluster, Sender sender, int node, int coordinator) {
        this.cluster = cluster;
        this.sender = sender;
        this.node = node;
        this.coordinator = coordinator;
    }

    /** Sets the journal step of the next entry that the request writes. */
    void takes(JournalStep step) {
        sender = sender.taking(step);
    }

    /**
     * Returns whether the request has written to a cut-off copy or refreshed it. In this case, the sender receives no
     * answer.
     */
    public boolean isUnacknowledged() {
        return unacknowledged;
    }

    /** Returns whether the request has read a stale document, of which the primary has another version. */
    public boolean isStale() {
        return stale;
    }

    /** Returns whether a search of the request missed a document that was moved only in a cut-off copy. */
    public boolean isDirty() {
        return dirty;
    }

    /**
     * Returns whether the request has compared the copies that the coordinator searches with the copies that the master
     * lists.
     */
    public boolean hasCompared() {
        return compared;
    }

    Optional<Shard.Stored> read(Replicated shard, String id) {
        cluster.checkAvailable(shard);
        Shard copy = shard.metBy(node);
        Optional<Shard.Stored> found = copy.read(id);
        if (shard.isCutOff(copy)) {
            stale |= !Objects.equals(
                    version(found.orElse(null)),
                    version(shard.primary().read(id).orElse(null)));
        }
        return found;
    }

    /**
     * Compares the result of a search at a cut-off copy with the primary. The search is dirty if a document matches the
     * query in the primary, but does not match it in the cut-off copy. In this case, the search has seen a write that
     * is never acknowledged.
     */
    void found(Replicated shard, SortedMap<String, Shard.Stored> visible, Predicate<TreeDocument> matches) {
        if (shard.isCutOff(shard.metBy(node))) {
            dirty |= shard.primary().documents().entrySet().stream()
                    .filter(there ->
                            matches.test((TreeDocument) there.getValue().value()))
                    .map(there -> visible.get(there.getKey()))
                    .anyMatch(seen -> seen != null && !matches.test((TreeDocument) seen.value()));
        }
    }

    SortedMap<String, Shard.Stored> visible(Replicated shard) {
        cluster.checkAvailable(shard);
        return shard.visible(shard.metBy(node));
    }

    /**
     * Compares the copies that the coordinator searches with the copies that the master lists. Returns true.
     *
     * @param indices the indices behind {@code index} that were refreshed
     * @throws NoAnswerException if the master does not list a searched copy, if the coordinator does not know a listed
     *     index, or if other indices were refreshed
     */
    boolean compareCopies(String index, Set<String> indices, List<Replicated> shards) {
        compared = true;
        if (!knowsIndices(index)
                || !cluster.indices().concrete(index).equals(indices)
                || shards.stream().anyMatch(shard -> shard.isGone() || shard.isCutOff(shard.metBy(coordinator)))) {
            throw new NoAnswerException("a node searches copies that the master does not list", null);
        }
        return true;
    }

    /** Returns whether the coordinator knows the same indices behind an index or alias as the master. */
    boolean knowsIndices(String index) {
        return cluster.indices().isCurrent(index, coordinator);
    }

    /** Returns the uuid of each concrete index behind an index or alias, as the coordinator knows them. */
    SortedMap<String, String> indices(String index) {
        return cluster.indices().behind(index, coordinator);
    }

    Shard copy(Replicated shard) {
        cluster.checkAvailable(shard);
        return shard.metBy(node);
    }

    boolean refresh(Replicated shard) {
        Shard copy = written(shard);
        copy.refresh();
        return true;
    }

    WriteResult create(Replicated shard, String id, Object value) {
        return watched(shard, id, copy -> copy.create(id, value));
    }

    WriteResult write(Replicated shard, String id, Version seen, Object value) {
        return watched(shard, id, copy -> copy.write(id, seen, value));
    }

    WriteResult write(Replicated shard, Document.Ref ref, Condition condition, Object value) {
        return switch (condition) {
            case Condition.AsRead asRead -> write(shard, ref.id(), ref.version(), value);
            case Condition.Above above -> watched(shard, ref.id(), copy -> copy.write(ref.id(), above, value));
        };
    }

    /**
     * Writes a document if its version is equal to {@code seen}. The new external version is at least
     * {@code external}.
     */
    WriteResult write(Replicated shard, String id, Version seen, Object value, long external) {
        return watched(shard, id, copy -> copy.write(id, seen, value, external));
    }

    /** Writes a document without a condition. The new external version is at least {@code external}. */
    WriteResult put(Replicated shard, String id, Object value, long external) {
        return watched(shard, id, copy -> copy.put(id, value, external));
    }

    WriteResult put(Replicated shard, String id, Object value) {
        return watched(shard, id, copy -> copy.put(id, value));
    }

    WriteResult delete(Replicated shard, String id, Version seen) {
        return watched(shard, id, copy -> copy.delete(id, seen));
    }

    WriteResult delete(Replicated shard, Document.Ref ref, Condition condition) {
        return switch (condition) {
            case Condition.AsRead asRead -> delete(shard, ref.id(), ref.version());
            case Condition.Above above -> watched(shard, ref.id(), copy -> copy.delete(ref.id(), above));
        };
    }

    @Nullable
    Object update(Replicated shard, String id, UnaryOperator<@Nullable Object> script) {
        Shard copy = written(shard);
        Shard.Stored before = copy.read(id).orElse(null);
        Object after = copy.update(id, script);
        reportWrite(shard, copy, id, before);
        return after;
    }

    /** Reports that a lock table has refused an attempt. A refusal by a cut-off copy is not reported. */
    void refused(Replicated shard, LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        if (!shard.isCutOff(shard.metBy(node))) {
            cluster.refused(table, hold, wanted);
        }
    }

    private interface Write {
        WriteResult to(Shard copy);
    }

    private WriteResult watched(Replicated shard, String id, Write write) {
        Shard copy = written(shard);
        Shard.Stored before = copy.read(id).orElse(null);
        WriteResult result = write.to(copy);
        reportWrite(shard, copy, id, before);
        return result;
    }

    private Shard written(Replicated shard) {
        cluster.checkAvailable(shard);
        Shard copy = shard.metBy(node);
        unacknowledged |= shard.isCutOff(copy);
        return copy;
    }

    private void reportWrite(Replicated shard, Shard copy, String id, Shard.@Nullable Stored before) {
        Shard.Stored after = copy.read(id).orElse(null);
        if (!shard.isCutOff(copy) && !Objects.equals(version(before), version(after))) {
            cluster.wrote(sender, shard, id, before, after);
        }
    }

    private static @Nullable Version version(Shard.@Nullable Stored stored) {
        return stored == null ? null : stored.version();
    }
}
