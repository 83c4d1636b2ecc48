package org.treerename.simulation;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.producer.writer.WriteHold;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.SimulatedProcessStore;
import org.treerename.simulation.elasticsearch.TreeDocument;
import org.treerename.store.Version;
import org.treerename.tree.Rename;

/**
 * Checks every write when the write takes effect. This class itself checks only the changes of journal entries: {@link
 * State} and the journal step must allow the change. {@link LockWitness}, {@link DecisionWitness} and {@link
 * DocumentWitness} check all other rules.
 */
final class Witness implements Cluster.Watcher {

    /** The prefix of the ids of outside writers' documents. Outside writers use no locks. */
    static final String OUTSIDE = "outside-";

    /**
     * The prefix of the ids of documents that writers create under a lock. The same rules apply to these documents as
     * to the documents that exist at the beginning of the run.
     */
    static final String HELD = "held-";

    /** Receives each document that a rename has removed. */
    interface Removed {
        void by(Rename rename, String id);
    }

    /** Receives written journal entries. The entry is null if a lock was written for a request without an entry. */
    interface Written {
        void by(Sender sender, @Nullable JournalEntry entry);
    }

    private final Cluster cluster;
    private final Stage stage;
    private final Namespace files;
    private final RequestOrder order;
    private final LockWitness locks;
    private final DecisionWitness decisions;
    private final DocumentWitness documents;
    private final Written written;

    /**
     * @param written receives each written journal entry, and may plan faults
     * @param removed receives each removed document, and may create it again
     */
    Witness(World world, Tree tree, Written written, Removed removed) {
        this.cluster = world.cluster();
        this.stage = world.stage();
        this.files = tree.namespace();
        this.order = new RequestOrder(cluster, files);
        this.locks = new LockWitness(world, files);
        this.decisions = new DecisionWitness(world, tree, order, locks);
        this.documents = new DocumentWitness(world, tree, locks, decisions, removed);
        this.written = written;
    }

    ModelTree model() {
        return decisions.model();
    }

    boolean isCommitted(String requestId) {
        return decisions.isCommitted(requestId);
    }

    /** Adds a record of the log to the {@link RequestOrder}. */
    void sent(RenameRequest request, RecordPosition place) {
        order.sent(request, place);
    }

    void comesAfter(String requestId, List<String> others) {
        order.comesAfter(requestId, others);
    }

    /** Passes the hold that a writer has acquired to the {@link LockWitness}. */
    void holds(WriteHold hold) {
        locks.holds(hold);
    }

    /** Returns whether a document may have the same path as another document. */
    boolean mayShareAPath(String id) {
        return decisions.mayShareAPath(id);
    }

    @Override
    public void control(Sender sender, String id, @Nullable Object before, @Nullable Object after, Version version) {
        if (after instanceof JournalEntry entry) {
            entry(sender, new EntryChange(sender.step(), (JournalEntry) before, entry), version);
            locks.wrote(entry);
            written.by(sender, entry);
        } else if (after == null && before instanceof JournalEntry entry) {
            stage.happened(
                    Happening.EXPIRED_ENTRY,
                    sender.name(),
                    () -> "has deleted the journal entry of " + entry.requestId());
        } else if (after instanceof LockTable table) {
            if (locks.hasHoldWithoutEntry(table)) {
                written.by(sender, null);
            }
            locks.changed(sender, before == null ? LockTable.empty(table.id()) : (LockTable) before, table);
        } else if (before instanceof LockTable table) {
            locks.changed(sender, table, LockTable.empty(table.id()));
        } else if (after instanceof ProcessDocument process
                && before instanceof ProcessDocument earlier
                && earlier.state() == ProcessState.LIVE
                && process.state() == ProcessState.FENCED) {
            stage.happened(Happening.FENCE, sender.name(), () -> "has fenced " + process.id());
        }
    }

    @Override
    public void refused(LockTable table, Hold hold, SortedMap<TreePath, LockMode> wanted) {
        locks.refused(table, hold, wanted);
    }

    @Override
    public void lostEntry(String requestId) {
        locks.entered(requestId);
    }

    @Override
    public void tree(
            Sender sender,
            String index,
            String id,
            @Nullable TreeDocument before,
            @Nullable TreeDocument after,
            Version version) {
        documents.wrote(sender, index, id, before, after);
    }

    private void entry(Sender sender, EntryChange change, Version version) {
        JournalEntry before = change.before();
        JournalEntry after = change.after();
        locks.entered(after.requestId());
        String was = before == null ? "NEW" : before.state().name();
        Supplier<String> words = () -> "has written " + after.requestId() + " " + after.state() + " in epoch "
                + after.ownership().epoch() + " at " + version.seqNo() + "/" + version.primaryTerm();
        Happening.transition(was, after.state())
                .ifPresentOrElse(
                        happening -> stage.happened(happening, sender.name(), words),
                        () -> stage.report(sender.name(), words));
        if (before != null) {
            if (!before.state().mayBecome(after.state())) {
                stage.violated(Point.ONCE, sender, after.requestId() + " changes from " + was + " to " + after.state());
                return;
            }
            if (before.ended().isPresent() && !before.ended().equals(after.ended())) {
                stage.violated(Point.ONCE, sender, "changes the outcome of " + after.requestId());
            }
        }
        if (!change.fitsItsStep()) {
            stage.violated(
                    Point.ONCE,
                    sender,
                    after.requestId() + " changes from " + was + " to " + after.state() + " in the step "
                            + change.step());
        }
        if (change.takesOver() && before != null) {
            takeOver(sender, before, after);
        }
        if (after.state().isFinal()) {
            order.ended(after.requestId());
        }
        if (after.isDirect() && after.state() == State.FAILED && sender.name().startsWith("janitor")) {
            stage.tally().count(Happening.DIRECT_ENDED_BY_A_JANITOR);
        }
        decisions.changed(sender, change);
    }

    private void takeOver(Sender sender, JournalEntry before, JournalEntry after) {
        if (!after.ownership().processId().startsWith("janitor")) {
            return;
        }
        ProcessId owner = new ProcessId(before.ownership().processId());
        boolean stopped = cluster.control(SimulatedProcessStore.id(owner), ProcessDocument.class)
                .map(process -> process.state() == ProcessState.STOPPED)
                .orElse(false);
        stage.happened(
                stopped ? Happening.HAND_OVER : Happening.TAKE_OVER,
                sender.name(),
                () -> "has taken " + after.requestId() + " over from " + owner);
    }

    /** Returns the rename of an entry; empty if the entry contains no valid rename of this tree. */
    Optional<Rename> rename(JournalEntry entry) {
        return rename(entry, files);
    }

    /** Returns the rename of an entry; empty if the entry contains no valid rename of this namespace. */
    static Optional<Rename> rename(JournalEntry entry, Namespace files) {
        RenameRequest request = entry.request();
        if (request == null
                || !request.namespace().equals(files.name())
                || TreePath.problem(request.source()).isPresent()
                || TreePath.problem(request.destination()).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new Rename(
                request.requestId(),
                files,
                new TreePath(request.source()),
                new TreePath(request.destination()),
                request.onExisting(),
                request.version(),
                request.sourceId()));
    }

    /** Returns whether a path is equal to another path, or is below the other path. */
    static boolean isAtOrBelow(String path, TreePath of) {
        return path.equals(of.text()) || path.startsWith(of.prefixOfBelow());
    }
}
