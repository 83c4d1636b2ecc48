package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.journal.Decision;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.lock.LockSet;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Acquisition.Acquired;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;

/**
 * Takes the steps of one rename. The code of one rename is sequential and blocking. Any number of threads may call this
 * class, each for another request. Each method returns empty if the caller must read the entry again.
 *
 * <ol>
 *   <li>Write the entry as PREPARED, and acquire the locks ({@link Acquisition}, {@link DocumentLocks}). If the process
 *       dies here, no document has moved.
 *   <li>Check the tree under the locks. If the process dies here, no document has moved.
 *   <li>Commit with one conditional write. If the process dies after the write, the rename is decided and will be
 *       finished.
 *   <li>Complete the rename ({@link Completion}).
 * </ol>
 */
final class RenameSteps {

    private final Stores stores;
    private final ProcessContext context;
    private final Completion completion;
    private final SnapshotReader trees;
    private final LockWatch watch;
    private final LockRelease release;

    RenameSteps(Stores stores, ProcessContext context, Completion completion, SnapshotReader trees, LockWatch watch) {
        this.stores = stores;
        this.context = context;
        this.completion = completion;
        this.trees = trees;
        this.watch = watch;
        this.release = new LockRelease(stores.locks(), watch, context);
    }

    /** Begins an attempt of the request, or ends the request without a lock. */
    Optional<Answer> begin(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> found) {
        Optional<Completion.Without> refusal = EndWithoutLocks.of(delivery, validation, context.lockWait());
        return refusal.isEmpty() && validation instanceof Validation.Valid valid
                ? acquire(delivery, valid.rename(), found)
                : refuse(delivery, refusal.orElseThrow(), found);
    }

    /**
     * Continues an entry that this process owns and that no thread processes. First makes an acknowledged write of the
     * entry, because a read that shows PREPARED may be older than the commit. Without this write, a new attempt could
     * release the hold of a committed rename.
     */
    Optional<Answer> pickUp(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        Optional<OwnEntry> picked = OwnEntry.pickUp(stores.journal(), context, found);
        if (picked.isEmpty()) {
            return Optional.empty();
        }
        OwnEntry own = picked.get();
        LockSet locks = completion.locksOf(own.entry());
        boolean undecided = own.entry().state() == State.PREPARED;
        Optional<Completion.Without> refusal = EndWithoutLocks.of(delivery, validation, context.lockWait());
        if (undecided && refusal.isPresent()) {
            return endWithoutMoves(own, locks, refusal.get());
        }
        if (validation instanceof Validation.Valid valid) {
            return undecided
                    ? acquire(delivery, valid.rename(), Optional.of(own.versioned()))
                    : step(completion.move(own, valid.rename(), ReadBeforeCommit.NOTHING), own, locks);
        }
        return park(own, locks, refusal.orElseThrow().message());
    }

    private Optional<Answer> park(OwnEntry own, LockSet locks, String why) {
        OwnedResult owned = own.park(new Parking(why, List.of()));
        return owned == OwnedResult.OURS ? Optional.of(new Answer.Parked()) : notOurs(owned, own, locks);
    }

    /**
     * Ends a request without a lock. Before the end, makes an attempt with an empty lock set. This attempt shows
     * whether a janitor may have deleted an earlier entry of the request.
     */
    private Optional<Answer> refuse(
            Delivery delivery, Completion.Without why, Optional<Versioned<JournalEntry>> found) {
        return switch (new Acquisition(stores, watch, context, delivery, LockSet.NONE).acquire(found)) {
            case Acquired.Held held ->
                endWithoutMoves(held.own(), completion.locksOf(held.own().entry()), why);
            case Acquired.Locked locked -> throw new IllegalStateException("an empty lock set cannot be refused");
            case Acquired.Unreadable unreadable ->
                throw new IllegalStateException("an empty lock set needs no read of the tree");
            case Acquired.Expired expired -> expired(delivery, expired.own());
            case Acquired.Stopped stopped -> release(stopped.own());
            case Acquired.Elsewhere elsewhere -> Optional.empty();
        };
    }

    private Optional<Answer> expired(Delivery delivery, OwnEntry own) {
        return endWithoutMoves(
                own,
                completion.locksOf(own.entry()),
                new Completion.Without(
                        Status.REJECTED,
                        Reason.EXPIRED,
                        (delivery.place().isDirect()
                                        ? "requested too long ago, at " + delivery.appendedAt()
                                                + " by the clock of the caller"
                                        : "the record at " + delivery.place() + " is too old")
                                + ": a janitor may have deleted the entry of an earlier delivery"));
    }

    private Optional<Answer> acquire(Delivery delivery, Rename rename, Optional<Versioned<JournalEntry>> found) {
        LockSet locks = rename.lockSet();
        FurtherLocks further = locks.isOpen()
                ? new DocumentLocks(stores.journal(), stores.tree(), context, rename)
                : FurtherLocks.NONE;
        return switch (new Acquisition(stores, watch, context, delivery, locks, further).acquire(found)) {
            case Acquired.Held held -> checkAndCommit(held.own(), rename);
            case Acquired.Unreadable unreadable -> refusedByTree(unreadable.own(), rename, unreadable.why());
            case Acquired.Locked locked ->
                endWithoutMoves(
                        locked.own(),
                        locks,
                        new Completion.Without(
                                Status.FAILED,
                                Reason.LOCKED,
                                "waited " + context.lockWait().toSeconds() + " s: "
                                        + locked.blockers().getFirst()));
            case Acquired.Expired expired -> expired(delivery, expired.own());
            case Acquired.Stopped stopped -> release(stopped.own());
            case Acquired.Elsewhere elsewhere -> Optional.empty();
        };
    }

    /**
     * Releases the request for a retry, because the process must stop. A direct rename fails, because it is not
     * delivered again.
     */
    private Optional<Answer> release(OwnEntry own) {
        LockSet locks = completion.locksOf(own.entry());
        if (own.entry().isDirect()) {
            return endWithoutMoves(own, locks, Completion.Without.PROCESS_ENDED);
        }
        OwnedResult owned = release.releaseForRetry(own, locks);
        return owned == OwnedResult.OURS ? Optional.of(new Answer.Stopped()) : notOurs(owned, own, locks);
    }

    private Optional<Answer> checkAndCommit(OwnEntry own, Rename rename) {
        Optional<SnapshotReader.Reading> read;
        try {
            read = trees.read(rename, context);
        } catch (RefusedException e) {
            return refusedByTree(own, rename, String.valueOf(e.getMessage()));
        }
        if (read.isEmpty()) {
            return release(own);
        }
        SnapshotReader.Reading reading = read.get();
        return switch (CommitCheck.of(rename, reading.snapshot())) {
            case CommitCheck.No no -> rejected(own, rename, no);
            case CommitCheck.Go go -> commitAndMove(own, rename, reading, go);
        };
    }

    /**
     * Commits the rename and moves its documents. Opens the scan of the first pass before the commit, so the commit is
     * the conditional write between the scan and the moves of its documents.
     */
    private Optional<Answer> commitAndMove(
            OwnEntry own, Rename rename, SnapshotReader.Reading reading, CommitCheck.Go go) {
        TreeSnapshot snapshot = reading.snapshot();
        ReadBeforeCommit opened;
        try {
            opened = trees.open(rename, snapshot);
        } catch (RefusedException e) {
            return refusedByTree(own, rename, String.valueOf(e.getMessage()));
        }
        try (ReadBeforeCommit read = opened) {
            Optional<CommitCheck.No> no = CommitCheck.ofDocuments(rename, read.firstPage());
            if (no.isPresent()) {
                return rejected(own, rename, no.get());
            }
            String ownId =
                    snapshot.own().size() == 1 ? snapshot.own().getFirst().ref().id() : null;
            Decision decision =
                    new Decision(context.time().now(), context.processId(), reading.indices(), go.removals(), ownId);
            OwnedResult owned = own.write(JournalStep.COMMIT, own.entry().committed(decision, snapshot.expected()));
            return owned == OwnedResult.OURS
                    ? step(completion.move(own, rename, read), own, rename.lockSet())
                    : notOurs(owned, own, rename.lockSet());
        }
    }

    private Optional<Answer> rejected(OwnEntry own, Rename rename, CommitCheck.No no) {
        return endWithoutMoves(
                own, rename.lockSet(), new Completion.Without(Status.REJECTED, no.reason(), no.message()));
    }

    private Optional<Answer> refusedByTree(OwnEntry own, Rename rename, String why) {
        return endWithoutMoves(own, rename.lockSet(), new Completion.Without(Status.FAILED, Reason.TREE_REFUSED, why));
    }

    private Optional<Answer> endWithoutMoves(OwnEntry own, LockSet locks, Completion.Without why) {
        return step(completion.without(own, locks, why), own, locks);
    }

    private Optional<Answer> notOurs(OwnedResult owned, OwnEntry own, LockSet locks) {
        if (owned == OwnedResult.RELEASED) {
            release.release(own.entry().requestId(), locks, own.entry().releaseOfHold());
        }
        return Optional.empty();
    }

    private Optional<Answer> step(Completion.Ended ended, OwnEntry own, LockSet locks) {
        return switch (ended) {
            case Completion.Ended.Published published -> Optional.of(new Answer.Published(published.outcome()));
            case Completion.Ended.Parked parked -> Optional.of(new Answer.Parked());
            case Completion.Ended.NotOurs notOurs -> notOurs(notOurs.owned(), own, locks);
        };
    }
}
