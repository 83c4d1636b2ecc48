package org.treerename.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.producer.writer.WriteHold;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.SimulatedJournal;
import org.treerename.simulation.elasticsearch.SimulatedLockStore;
import org.treerename.tree.Rename;

/**
 * Checks these rules for locks:
 *
 * <ul>
 *   <li>Two decided renames never hold conflicting locks. A document moves only under the locks of its rename.
 *   <li>No lock of a decided rename is removed before the rename is DONE.
 *   <li>No request acquires a lock before an older rename that waits for this lock. No request acquires a lock without
 *       a journal entry.
 *   <li>While a writer holds the lock of a directory, no rename that conflicts with this lock is between its commit and
 *       the state DONE.
 * </ul>
 */
final class LockWitness {

    private final Cluster cluster;
    private final Stage stage;
    private final Namespace files;
    private final Queue queue = new Queue();
    private final List<WriteHold> holds = new ArrayList<>();

    /**
     * The requests that have or had a journal entry, or whose entry was lost: the item of the entry failed, but other
     * items of the same bulk request were written.
     */
    private final Set<String> entered = new HashSet<>();

    LockWitness(World world, Namespace files) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.files = files;
    }

    void entered(String requestId) {
        entered.add(requestId);
    }

    void wrote(JournalEntry entry) {
        queue.wrote(entry);
    }

    void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        queue.refused(table, hold, wanted);
    }

    /**
     * Stores the hold that a writer has acquired. Until the writer releases the hold, no rename that conflicts with the
     * hold may be between its commit and the state DONE.
     */
    void holds(WriteHold hold) {
        Sender holder = new Sender(hold.requestId(), null);
        if (!hold.stillHeld()) {
            stage.violated(Point.WITHIN_THE_INTERVAL, holder, "gets a hold that is already lost");
        }
        holds.add(hold);
        noneUnderWay(holder, ofWriter(hold), "gets a hold of");
    }

    private LockSet ofWriter(WriteHold hold) {
        return new WriteTarget(hold.namespace(), hold.directories())
                .lockSet(LockPolicy.of(files))
                .orElseThrow();
    }

    void noneUnderWay(Sender sender, LockSet locks, String what) {
        for (JournalEntry other : cluster.control(JournalEntry.class)) {
            if ((other.state() == State.MOVING || other.state() == State.PARKED) && conflicts(other, locks)) {
                stage.violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        what + " " + locks.modes().keySet() + " while " + other.requestId() + " is " + other.state());
            }
        }
    }

    private boolean conflicts(JournalEntry other, LockSet locks) {
        return Witness.rename(other, files)
                .filter(rename -> Exclusion.between(rename.lockSet(), locks))
                .isPresent();
    }

    void changed(Sender sender, LockTable before, LockTable after) {
        if (after.claims().size() > before.claims().size()) {
            stage.happened(Happening.CLAIM, sender.name(), () -> "has left a claim in " + after.id());
        }
        after.holds().forEach((holdId, held) -> {
            if (!before.isHeldBy(holdId)) {
                lockGiven(sender, after.id(), held);
            }
        });
        before.claims().forEach((requestId, claim) -> {
            LockTable.Claim left = after.claims().get(requestId);
            // another request under the same id may have replaced the claim
            if (left == null || !left.paths().equals(claim.paths())) {
                queue.lostClaim(after.id(), requestId);
            }
        });
        before.holds().forEach((holdId, held) -> {
            if (!after.isHeldBy(holdId)) {
                lockRemoved(sender, after.id(), held);
            }
        });
    }

    private void lockGiven(Sender sender, LockTable.Id table, LockTable.Held held) {
        String requestId = held.hold().requestId();
        String words = held.paths().keySet() + " in " + table;
        if (!entered.contains(requestId)) {
            stage.violated(Point.NOTHING_LEFT, sender, requestId + " has no journal entry, but holds " + words);
        }
        queue.passedBy(table, held)
                .ifPresent(older -> stage.violated(
                        Point.LIVENESS,
                        sender,
                        requestId + " overtakes the older request " + older + " and holds " + words));
    }

    private void lockRemoved(Sender sender, LockTable.Id table, LockTable.Held held) {
        String holdId = held.hold().holdId();
        Optional<JournalEntry> holder = entry(held.hold().requestId());
        boolean counts = holder.filter(entry -> holdId.equals(entry.ownership().holdId()))
                .isPresent();
        State state = holder.map(JournalEntry::state).orElse(null);
        if (counts && (state == State.MOVING || state == State.PARKED)) {
            stage.violated(
                    Point.WITHIN_THE_INTERVAL,
                    sender,
                    "removes the hold " + holdId + " of " + held.hold().requestId() + ", which is " + state + ", from "
                            + held.paths().keySet() + " in " + table);
        }
        if (!counts && sender.name().startsWith("janitor")) {
            stage.happened(Happening.SWEPT, sender.name(), () -> "has removed the hold " + holdId + " from " + table);
        }
    }

    void holdsAll(Sender sender, JournalEntry entry, LockSet locks, String when) {
        String holdId = String.valueOf(entry.ownership().holdId());
        locks.parts().forEach((id, wanted) -> {
            Map<TreePath, LockMode> held = cluster.control(SimulatedLockStore.id(id), LockTable.class)
                    .flatMap(table -> Optional.ofNullable(table.holds().get(holdId)))
                    .<Map<TreePath, LockMode>>map(LockTable.Held::paths)
                    .orElse(Map.of());
            wanted.forEach((path, mode) -> {
                LockMode has = held.get(path);
                if (has == null || !has.isAtLeast(mode)) {
                    stage.violated(
                            Point.WITHIN_THE_INTERVAL,
                            sender,
                            entry.requestId() + " " + when + " without its lock at " + path);
                }
            });
        });
    }

    /** Returns whether a table contains a hold of a request without an entry. */
    boolean hasHoldWithoutEntry(LockTable table) {
        return table.holds().values().stream()
                .anyMatch(held -> entry(held.hold().requestId()).isEmpty());
    }

    /**
     * Checks at a commit that the rename has all its locks. Checks that no other MOVING or PARKED rename and no valid
     * hold of a writer conflicts with the rename.
     */
    void committed(Sender sender, JournalEntry entry, Rename rename) {
        holdsAll(sender, entry, rename.lockSet(), "is committed");
        for (JournalEntry other : cluster.control(JournalEntry.class)) {
            if ((other.state() == State.MOVING || other.state() == State.PARKED)
                    && !other.requestId().equals(entry.requestId())
                    && conflicts(other, rename.lockSet())) {
                stage.violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        entry.requestId() + " is committed while " + other.requestId() + " is " + other.state());
            }
        }
        for (WriteHold hold : holds) {
            if (Exclusion.between(ofWriter(hold), rename.lockSet()) && hold.stillHeld()) {
                stage.violated(
                        Point.WITHIN_THE_INTERVAL,
                        sender,
                        entry.requestId() + " (" + rename.source() + " to " + rename.destination()
                                + ") is committed while " + hold + " is still held");
            }
        }
    }

    private Optional<JournalEntry> entry(String requestId) {
        return cluster.control(SimulatedJournal.id(requestId), JournalEntry.class);
    }
}
