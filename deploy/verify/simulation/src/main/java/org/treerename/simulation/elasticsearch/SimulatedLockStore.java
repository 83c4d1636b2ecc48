package org.treerename.simulation.elasticsearch;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;

/**
 * Stores the lock tables in the simulated control index. {@link LockTable} itself decides which request acquires a
 * lock.
 */
public final class SimulatedLockStore implements LockStore {

    private final Wire wire;
    private final Cluster cluster;

    public SimulatedLockStore(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
    }

    /** Returns the document id of a table. */
    public static String id(LockTable.Id table) {
        return "lock:" + table;
    }

    /** Returns an item for each table, which runs the script on the table. A table that does not exist is skipped. */
    static List<Request.Item> items(Cluster cluster, Collection<LockTable.Id> tables, UnaryOperator<LockTable> script) {
        return tables.stream()
                .map(table -> (Request.Item) view -> update(
                        view, cluster, table, found -> found == null ? null : unlessForgotten(script.apply(found))))
                .toList();
    }

    /**
     * The result of an update: the lock table, and whether the update has changed it. The table is null if it does not
     * exist.
     */
    record Updated(@Nullable LockTable table, boolean changed) {}

    /** Updates one table. The script receives null if the table does not exist. */
    static Updated update(View view, Cluster cluster, LockTable.Id id, UnaryOperator<@Nullable LockTable> script) {
        AtomicBoolean changed = new AtomicBoolean();
        Object after = view.update(cluster.control(), id(id), found -> {
            LockTable before = (LockTable) found;
            LockTable next = script.apply(before);
            changed.set(next == null ? before != null : !next.equals(before == null ? LockTable.empty(id) : before));
            return next;
        });
        return new Updated((LockTable) after, changed.get());
    }

    private static @Nullable LockTable unlessForgotten(LockTable table) {
        return table.isForgotten() ? null : table;
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        release(tables, release, table -> table.released(release));
    }

    /** Releases locks by running this script on each table. Only tests call this method. */
    public void release(Collection<LockTable.Id> tables, Release release, UnaryOperator<LockTable> script) {
        if (!tables.isEmpty()) {
            wire.ask(new Request<>(
                    () -> "releases " + release.holdIds()
                            + release.claimOf()
                                    .map(id -> " and the claims of " + id)
                                    .orElse("") + " from " + tables,
                    items(cluster, tables, script),
                    results -> results.size()));
        }
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        while (true) {
            List<LockTable.Id> found = search(
                            "tables of documents with " + release.holdIds(),
                            table -> table.id().ofDocument()
                                    && table.id().namespace().equals(namespace)
                                    && !table.released(release).equals(table))
                    .stream()
                    .map(LockTable::id)
                    .toList();
            if (found.isEmpty()) {
                return;
            }
            release(found, release);
        }
    }

    /**
     * Reads tables in one request with one item for each table. The result may be stale, and other requests may write
     * between two items.
     */
    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        if (tables.isEmpty()) {
            return List.of();
        }
        return wire.ask(new Request<>(
                () -> "reads " + tables,
                tables.stream().map(this::read).toList(),
                results -> results.stream()
                        .map(found -> (LockTable) Objects.requireNonNull(found))
                        .toList()));
    }

    private Request.Item read(LockTable.Id table) {
        return view -> view.read(cluster.control(), id(table))
                .map(found -> (LockTable) found.value())
                .orElse(LockTable.empty(table));
    }

    @Override
    public void each(Consumer<LockTable> action) {
        search("lock tables", table -> !table.isEmpty()).forEach(action);
    }

    private List<LockTable> search(String what, Predicate<LockTable> matching) {
        return SimulatedProcessStore.search(wire, cluster, what, LockTable.class, values -> values.filter(matching));
    }

    /** Replaces a table without a condition. The services do not call this method. */
    public void put(LockTable table) {
        wire.ask(Request.of(() -> "puts " + table, view -> view.put(cluster.control(), id(table.id()), table)));
    }

    /** Returns no contradictions, because the simulation stores tables without search keys. */
    @Override
    public List<String> contradictions() {
        return List.of();
    }
}
