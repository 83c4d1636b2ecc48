package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;

/**
 * The simulated Elasticsearch: a control index with one shard, tree indices with one or more shards, and points in
 * time.
 */
public final class Cluster {

    /** Receives each write at the moment when the write takes effect on a primary. */
    public interface Watcher {

        /**
         * A document of the control index was written.
         *
         * @param before the document before the write; null if it did not exist
         * @param after the document after the write; null if it was deleted
         */
        void control(Sender sender, String id, @Nullable Object before, @Nullable Object after, Version version);

        /** A document of a tree was written. */
        void tree(
                Sender sender,
                String index,
                String id,
                @Nullable TreeDocument before,
                @Nullable TreeDocument after,
                Version version);

        /**
         * A lock table has refused an attempt. If the attempt left a claim, the cluster calls this method after the
         * write of the claim.
         */
        void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted);

        /**
         * The journal entry of an attempt was not written, or its write was lost. Other items of the same bulk request
         * may have been applied.
         */
        void lostEntry(String requestId);
    }

    private final Replicated control = new Replicated(Installation.DEFAULT.controlIndex(), 0);
    private final Indices indices = new Indices();
    private final SortedSet<Long> openPits = new TreeSet<>();
    private long lastPit;
    private long expiredPits;
    private long lastExternal;
    private boolean refusesControl;
    private @Nullable Watcher watcher;

    public void watch(Watcher next) {
        watcher = next;
    }

    public void watchNoMore() {
        watcher = null;
    }

    void lostEntry(String requestId) {
        if (watcher != null) {
            watcher.lostEntry(requestId);
        }
    }

    void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        if (watcher != null) {
            watcher.refused(table, hold, wanted);
        }
    }

    /** Returns the tree indices, without the control index. */
    public Indices indices() {
        return indices;
    }

    /** Returns whether an index still has this uuid. */
    public boolean isStill(String index, String uuid) {
        return indices.isStill(index, uuid);
    }

    /**
     * Sets whether the control index rejects all requests. A real index rejects all requests if the index is closed, or
     * if the user has no privileges.
     */
    public void refuseControl(boolean isRefusing) {
        refusesControl = isRefusing;
    }

    void checkAvailable(Replicated shard) {
        if (shard.isGone()) {
            throw new NoAnswerException("404 index_not_found_exception of " + shard.name(), null);
        }
        if (refusesControl && shard == control) {
            throw new NoAnswerException("403 for the control index", null);
        }
    }

    /** Makes another copy the primary of a shard. Points in time of the old primary are lost. */
    public void failOver(int shard) {
        shards().get(shard).failOver();
    }

    /**
     * Cuts off the node with the primary of a shard from the other nodes. Clients that reach only this node read and
     * write its copy, which is no longer the primary.
     *
     * @param node the number that the node receives
     */
    public void cutOff(int shard, int node) {
        shards().get(shard).cutOff(node);
    }

    /** Returns whether a shard has more than one cut-off copy. */
    public boolean hasSeveralStaleCopies() {
        return shards().stream().anyMatch(Replicated::hasSeveralStaleCopies);
    }

    public void heal() {
        shards().forEach(Replicated::heal);
        indices.learnAll();
    }

    /**
     * Refreshes the tree indices, as Elasticsearch does at each {@code index.refresh_interval}. The copies on cut-off
     * nodes are also refreshed.
     */
    public void refreshItself() {
        indices.shards().forEach(Replicated::refreshItself);
    }

    /** Returns the number of shards. Shard 0 belongs to the control index. */
    public int shardCount() {
        return shards().size();
    }

    private List<Replicated> shards() {
        List<Replicated> all = new ArrayList<>();
        all.add(control);
        all.addAll(indices.shards());
        return all;
    }

    /** Returns the current documents of one kind in the control index, for example all journal entries. */
    public <T> List<T> control(Class<T> kind) {
        List<T> all = new ArrayList<>();
        for (Shard.Stored stored : control.primary().documents().values()) {
            if (kind.isInstance(stored.value())) {
                all.add(kind.cast(stored.value()));
            }
        }
        return all;
    }

    public <T> Optional<T> control(String id, Class<T> kind) {
        return control.primary().read(id).map(Shard.Stored::value).map(kind::cast);
    }

    /**
     * A document of a tree, with its index, id and version.
     *
     * @param external the external version of the document
     */
    public record StoredDocument(String index, String id, TreeDocument document, Version version, long external) {}

    /** Returns the current documents of all trees. */
    public List<StoredDocument> trees() {
        return trees(index -> true);
    }

    /** Returns the current documents of these tree indices. */
    public List<StoredDocument> trees(Collection<String> of) {
        return trees(of::contains);
    }

    private List<StoredDocument> trees(Predicate<String> isWanted) {
        List<StoredDocument> all = new ArrayList<>();
        indices.shards().stream()
                .filter(shard -> isWanted.test(shard.index()))
                .forEach(shard -> shard.primary()
                        .documents()
                        .forEach((id, stored) -> all.add(new StoredDocument(
                                shard.index(),
                                id,
                                (TreeDocument) stored.value(),
                                stored.version(),
                                stored.external()))));
        return all;
    }

    /** Returns the next external version, which is higher than all versions that earlier calls returned. */
    public long nextExternal() {
        lastExternal++;
        return lastExternal;
    }

    /** Returns the number of open points in time. */
    public int openPits() {
        return openPits.size();
    }

    Replicated control() {
        return control;
    }

    long openPit() {
        lastPit++;
        openPits.add(lastPit);
        return lastPit;
    }

    /** Deletes every point in time, as Elasticsearch does after the keep-alive. */
    public void expirePits() {
        openPits.clear();
        expiredPits = lastPit;
    }

    boolean isExpired(long pit) {
        return pit <= expiredPits;
    }

    void closePit(long pit) {
        openPits.remove(pit);
    }

    void wrote(
            Sender sender, Replicated shard, String id, Shard.@Nullable Stored before, Shard.@Nullable Stored after) {
        if (watcher == null) {
            return;
        }
        Object from = before == null ? null : before.value();
        Object to = after == null ? null : after.value();
        Version version = after == null ? shard.primary().lastVersion() : after.version();
        if (shard == control) {
            watcher.control(sender, id, from, to, version);
        } else {
            watcher.tree(sender, shard.index(), id, (TreeDocument) from, (TreeDocument) to, version);
        }
    }
}
