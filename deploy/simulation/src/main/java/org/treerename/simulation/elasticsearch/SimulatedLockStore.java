package org.treerename.simulation.elasticsearch;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;

/** The lock documents in the simulated control index; the rule is {@link LockDocument}'s own. */
public final class SimulatedLockStore implements LockStore {

    private final Wire wire;
    private final Cluster cluster;

    public SimulatedLockStore(Wire wire, Cluster cluster) {
        this.wire = wire;
        this.cluster = cluster;
    }

    /** The id of a path's lock document. */
    public static String id(String namespace, Path path) {
        return "lock:" + namespace + "\0" + path;
    }

    static List<Request.Item> items(Cluster cluster, LockSet locks, Release release) {
        return locks.modes().keySet().stream()
                .map(path -> (Request.Item) view -> view.update(
                        cluster.control(),
                        id(locks.namespace(), path),
                        found -> found == null ? null : left(((LockDocument) found).released(release))))
                .toList();
    }

    private static @org.jspecify.annotations.Nullable LockDocument left(LockDocument lock) {
        return lock.isEmpty() ? null : lock;
    }

    @Override
    public void release(LockSet locks, Release release) {
        if (!locks.modes().isEmpty()) {
            send(locks, release);
        }
        if (locks.open()) {
            releaseWhereverItStands(locks.namespace(), release);
        }
    }

    private void releaseWhereverItStands(String namespace, Release release) {
        while (true) {
            SortedMap<Path, LockMode> found = new TreeMap<>();
            search(
                            "what stands of " + release.holdIds(),
                            lock -> !lock.released(release).equals(lock))
                    .forEach(lock -> found.put(lock.path(), LockMode.EXCLUSIVE));
            if (found.isEmpty()) {
                return;
            }
            send(new LockSet(namespace, found), release);
        }
    }

    private void send(LockSet locks, Release release) {
        wire.ask(new Request<>(
                () -> "releases " + release.holdIds()
                        + release.claimOf()
                                .map(id -> " and the claims of " + id)
                                .orElse("") + " off "
                        + locks.modes().keySet(),
                items(cluster, locks, release),
                results -> results.size()));
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return wire.ask(Request.of(
                () -> "reads the lock of " + path,
                view -> view.read(cluster.control(), id(namespace, path)).map(found -> (LockDocument) found.value())));
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        search("locks", lock -> true).forEach(look);
    }

    private List<LockDocument> search(String what, Predicate<LockDocument> matching) {
        return SimulatedProcessStore.search(
                wire,
                cluster,
                what,
                values -> values.filter(LockDocument.class::isInstance)
                        .map(LockDocument.class::cast)
                        .filter(matching));
    }

    /** Writes a lock document over whatever stands there, as nobody may. */
    public void put(LockDocument lock) {
        wire.ask(Request.of(
                () -> "puts " + lock, view -> view.put(cluster.control(), id(lock.namespace(), lock.path()), lock)));
    }

    /** It stores what a lock document is, and repeats nothing of it. */
    @Override
    public List<String> contradictions() {
        return List.of();
    }
}
