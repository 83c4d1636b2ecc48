package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.tree.Rename;

/** Finds the requests of the main tree that wait for locks while their processes run. */
final class Waiters {

    private final Cluster cluster;
    private final Stage stage;
    private final Namespace files;
    private final List<Service> services;

    Waiters(World world, List<Service> services) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.files = world.files();
        this.services = services;
    }

    /**
     * Returns the current blockers of each waiting request. A request waits if it has left a claim and holds no lock.
     * The key is the hold that the last attempt of the request would have acquired.
     */
    Map<Hold, List<Blocker>> now() {
        Map<Hold, List<Blocker>> waiting = new HashMap<>();
        for (JournalEntry entry : cluster.control(JournalEntry.class)) {
            boolean isAttempted = entry.state() == State.PREPARED || entry.state() == State.HELD;
            if (isAttempted && ownerRuns(entry)) {
                locks(entry).ifPresent(locks -> {
                    Hold own = new Hold(
                            String.valueOf(entry.ownership().holdId()),
                            entry.ownership().processId(),
                            entry.age());
                    List<Part> parts = parts(own, locks);
                    if (parts.stream().anyMatch(part -> part.isClaimed(own))
                            && parts.stream().noneMatch(part -> part.table().isHeldBy(own.holdId()))) {
                        List<Blocker> blockers = new ArrayList<>();
                        parts.forEach(part -> blockers.addAll(part.table().blockersOf(own, part.wanted())));
                        waiting.put(own, blockers);
                    }
                });
            }
        }
        return waiting;
    }

    /** A lock table, and the locks that a request needs in this table. */
    private record Part(LockTable table, SortedMap<TreePath, LockMode> wanted) {

        boolean isClaimed(Hold own) {
            return table.claims().containsKey(own.requestId());
        }
    }

    private List<Part> parts(Hold own, LockSet locks) {
        List<Part> parts = new ArrayList<>();
        locks.parts()
                .forEach((id, wanted) -> parts.add(new Part(
                        cluster.control(SimulatedLockStore.id(id), LockTable.class)
                                .orElse(LockTable.empty(id)),
                        wanted)));
        if (locks.isOpen()) {
            for (LockTable table : cluster.control(LockTable.class)) {
                LockTable.Claim claim = table.claims().get(own.requestId());
                // a request that waits for the lock of a document has left its claim in the lock table of this document
                if (table.id().ofDocument() && claim != null) {
                    parts.add(new Part(table, claim.paths()));
                }
            }
        }
        return parts;
    }

    private Optional<LockSet> locks(JournalEntry entry) {
        WriteTarget writeTarget = entry.writeTarget();
        return writeTarget == null
                ? Witness.rename(entry, files).map(Rename::lockSet)
                : writeTarget.lockSet(LockPolicy.of(files));
    }

    private boolean ownerRuns(JournalEntry entry) {
        return services.stream()
                .filter(Service::isUp)
                .map(service -> Objects.requireNonNull(service.living()).actor())
                .anyMatch(actor -> actor.name().equals(entry.ownership().processId())
                        && actor.frozenUntilNanos() <= stage.scheduler().nowNanos());
    }
}
