package org.treerename.rename;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalEntry.Decision;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.Standing;
import org.treerename.journal.State;
import org.treerename.journal.UnmetDependency;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Acquisition.Acquired;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;

/**
 * Processes one delivered request until its outcome is published. Any number of threads may call this class, each for
 * another delivery. The code of one rename is sequential and blocking.
 *
 * <ol>
 *   <li>Prepare and acquire the locks ({@link Acquisition}, {@link DocumentLocks}). If we die here, no document has
 *       moved.
 *   <li>Check the tree under the locks. If we die here, no document has moved.
 *   <li>Commit with one conditional write. If we die after it, the rename is decided and will be finished.
 *   <li>Complete the rename ({@link Completion}).
 * </ol>
 */
public final class Renamer {

    /** The result of processing one delivery. */
    public sealed interface Answer {

        /** The outcome is final and published. */
        record Published(String outcome) implements Answer {}

        /** The request id belongs to another request, which has its own outcome. */
        record Reused() implements Answer {}

        /** The rename is decided, but a document cannot be moved now. The rename will be finished later. */
        record Parked() implements Answer {}

        /** The stored entry is damaged, so no end can be written into it. */
        record Unanswerable(String why) implements Answer {}

        /**
         * The process must stop. The request has not ended. This process no longer processes this delivery, so Kafka
         * must deliver it again.
         */
        record Stopped() implements Answer {}

        /** Returns why this answer is an error; empty if it is none. */
        default Optional<String> problem() {
            return switch (this) {
                case Reused reused -> Optional.of("the request id belongs to another request");
                case Unanswerable no -> Optional.of(no.why());
                case Published published -> Optional.empty();
                case Parked parked -> Optional.empty();
                case Stopped stopped -> Optional.empty();
            };
        }
    }

    /** The result of one step of processing a request. */
    private sealed interface Step {
        record Ended(Answer answer) implements Step {}

        /** Another thread or process owns, or owned, the request: the next step reads the entry. */
        record ReadAgain() implements Step {}
    }

    /**
     * A request by its id and the digest of its content. Two requests with the same id and different contents are two
     * identities. A thread that processes one of them never continues the entry of the other.
     */
    private record RequestIdentity(String requestId, String digest) {}

    private static final Logger log = LoggerFactory.getLogger(Renamer.class);

    private final Stores stores;
    private final OutcomeCodec codec;
    private final ProcessContext context;
    private final Completion completion;
    private final SnapshotReader trees;
    private final LockWatch watch;

    /**
     * The requests that threads of this process are processing. Only one thread at a time processes a request, even if
     * the request is delivered several times.
     */
    private final Set<RequestIdentity> inProgress;

    public Renamer(Stores stores, OutcomeCodec codec, ProcessContext context) {
        this(
                stores,
                codec,
                context,
                new SnapshotReader(stores.tree()),
                new LockWatch(stores.locks()),
                ConcurrentHashMap.newKeySet());
    }

    private Renamer(
            Stores stores,
            OutcomeCodec codec,
            ProcessContext context,
            SnapshotReader trees,
            LockWatch watch,
            Set<RequestIdentity> inProgress) {
        this.stores = stores;
        this.codec = codec;
        this.context = context;
        this.completion = new Completion(stores, codec, context, watch);
        this.trees = trees;
        this.watch = watch;
        this.inProgress = inProgress;
    }

    /**
     * Returns a renamer that the given signal can stop. It shares the requests in progress with this renamer.
     *
     * @param stop the signal for these deliveries
     */
    public Renamer stoppedBy(StopSignal stop) {
        return new Renamer(stores, codec, context.stoppedBy(stop), trees, watch, inProgress);
    }

    /**
     * Processes one delivery. Returns when the request has ended or when the delivery must be repeated.
     *
     * @throws RuntimeException for an unexpected failure: a second call continues from the state in the journal
     */
    public Answer run(Delivery delivery) {
        Validation validation = context.retryUntilAnswered(
                "the namespace of " + delivery.requestId(),
                () -> Validation.of(delivery.asked(), stores.namespaces()::find));
        return run(delivery, validation);
    }

    /**
     * Ends a delivery after all its tries have failed. An undecided request fails; a decided request is parked. If
     * another thread or process owns the request, this method waits for the end of that processing.
     *
     * @throws RuntimeException if even this fails
     */
    Answer giveUp(Delivery delivery, String why) {
        return run(delivery, new Validation.Hopeless(why));
    }

    private Answer run(Delivery delivery, Validation validation) {
        String requestId = delivery.requestId();
        RequestIdentity identity = new RequestIdentity(requestId, delivery.digest());
        Backoff backoff = context.backoffs().begin("the end of " + requestId);
        boolean isOwner = inProgress.add(identity);
        try {
            Step step = isOwner ? begin(delivery, validation, Optional.empty()) : new Step.ReadAgain();
            while (!(step instanceof Step.Ended ended)) {
                isOwner = isOwner || inProgress.add(identity);
                Optional<Versioned<JournalEntry>> found = context.retryUntilAnswered(
                        "the entry of " + requestId, () -> stores.journal().read(requestId));
                step = isOwner ? continueOwned(delivery, validation, found) : awaitEnd(delivery, validation, found);
                if (step instanceof Step.ReadAgain) {
                    backoff.pause();
                }
            }
            return ended.answer();
        } finally {
            if (isOwner) {
                inProgress.remove(identity);
            }
        }
    }
    /** Continues a request that no other thread of this process is processing. */
    private Step continueOwned(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        if (read.isEmpty()) {
            return begin(delivery, validation, read);
        }
        Versioned<JournalEntry> found = read.get();
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery) || entry.state().isFinal()) {
            return continueFrom(delivery, validation, found);
        }
        if (OwnEntry.isDropped(entry, context)) {
            return pickUp(delivery, validation, found);
        }
        return context.stop().isRequested() ? stop(delivery, found) : continueFrom(delivery, validation, found);
    }

    /** Waits for the end, because another thread of this process is processing the request. */
    private Step awaitEnd(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        boolean ended = read.isPresent() && read.get().value().state().isFinal();
        if (ended) {
            return continueFrom(delivery, validation, read.get());
        }
        return context.stop().isRequested() ? new Step.Ended(new Answer.Stopped()) : new Step.ReadAgain();
    }

    /**
     * Continues from the state in the journal. Answers from the journal, begins again, or waits until the owner has
     * ended the request.
     */
    private Step continueFrom(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery)) {
            return confirmed(delivery, found) ? new Step.Ended(new Answer.Reused()) : new Step.ReadAgain();
        }
        return switch (entry.state()) {
            case RETRY -> begin(delivery, validation, Optional.of(found));
            case PREPARED, HELD, MOVING -> new Step.ReadAgain();
            case PARKED -> confirmed(delivery, found) ? new Step.Ended(new Answer.Parked()) : new Step.ReadAgain();
            case DONE, REJECTED, FAILED, CANCELLED, CLOSED -> ended(delivery, found);
        };
    }

    /**
     * Continues an entry that this process owns and that no thread processes. First makes an acknowledged write,
     * because a read that shows PREPARED may be older than the commit. A new attempt would then release the hold of a
     * committed rename.
     */
    private Step pickUp(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        Optional<OwnEntry> picked = OwnEntry.pickUp(stores.journal(), context, found);
        if (picked.isEmpty()) {
            return new Step.ReadAgain();
        }
        OwnEntry own = picked.get();
        LockSet locks = completion.locksOf(own.entry());
        boolean undecided = own.entry().state() == State.PREPARED;
        Optional<Completion.Without> refusal = refusal(delivery, validation);
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

    /** Returns the reason why a request ends without a lock; empty if it needs its locks. */
    private Optional<Completion.Without> refusal(Delivery delivery, Validation validation) {
        return switch (validation) {
            case Validation.Invalid invalid ->
                Optional.of(new Completion.Without(Status.REJECTED, invalid.reason(), invalid.message()));
            case Validation.Hopeless hopeless ->
                Optional.of(new Completion.Without(Status.FAILED, Reason.KEPT_FAILING, hopeless.message()));
            case Validation.Valid valid -> Optional.ofNullable(delivery.unmet()).map(this::refusal);
        };
    }

    private Completion.Without refusal(UnmetDependency unmet) {
        String dependency = "depends on request " + unmet.requestId();
        return switch (unmet.why()) {
            case UNKNOWN ->
                new Completion.Without(
                        Status.REJECTED, Reason.UNKNOWN_PREDECESSOR, dependency + ", which has no journal entry");
            case PARKED ->
                new Completion.Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        "waited " + context.lockWait().toSeconds() + " s: " + dependency + ", which is parked");
            case GIVEN_BACK ->
                new Completion.Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        dependency + ", which was released for a retry and has not been processed since");
        };
    }

    private Step park(OwnEntry own, LockSet locks, String why) {
        Standing standing = completion.park(own, why);
        return standing == Standing.OURS ? new Step.Ended(new Answer.Parked()) : notOurs(standing, own, locks);
    }

    /**
     * Stops if an acknowledged write shows that the entry is still as it was read. Without this write, this process
     * could own an open entry that it no longer processes.
     */
    private Step stop(Delivery delivery, Versioned<JournalEntry> found) {
        return confirmed(delivery, found) ? new Step.Ended(new Answer.Stopped()) : new Step.ReadAgain();
    }

    /**
     * Confirms by an acknowledged no-op write that the entry is as it was read. Only then may the caller commit the offset, because a read
     * may be stale. The write also stores the position of this record, so that the watermark covers it before the entry is deleted.
     */
    private boolean confirmed(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry confirmation = found.value().deliveredBy(delivery).withNoOp();
        return context.retryUntilAnswered(
                "the no-op write of the entry of " + confirmation.requestId(),
                () -> stores.journal().write(confirmation, found.version()) instanceof WriteResult.Written);
    }
    /**
     * Makes this process the owner of a cancelled entry, by one conditional write. For an ended entry of this process,
     * the write confirms the ownership. Returns empty if the entry has changed.
     */
    private Optional<OwnEntry> takeOverEnded(JournalEntry ended, Version seen) {
        boolean isCancelled = Cancellation.hasLeft(ended);
        JournalEntry mine = isCancelled ? ended.takenOver(context.processId()) : ended.withNoOp();
        WriteResult result = context.retryUntilAnswered(
                "the take-over of " + mine.requestId(), () -> stores.journal().write(mine, seen));
        return result instanceof WriteResult.Written written
                ? Optional.of(own(new Versioned<>(mine, written.version())))
                : Optional.empty();
    }

    /**
     * Answers from an ended entry. Publishes the outcome only after an acknowledged write, because a read may come from
     * a shard copy whose writes are never acknowledged.
     */
    private Step ended(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value().deliveredBy(delivery);
        if (isToBeClosedHere(entry)) {
            Optional<OwnEntry> own = takeOverEnded(entry, found.version());
            if (own.isEmpty()) {
                return new Step.ReadAgain();
            }
            Completion.Ended ended = completion.releaseAndClose(own.get(), completion.locksOf(entry));
            return ended instanceof Completion.Ended.Published published
                    ? new Step.Ended(new Answer.Published(published.outcome()))
                    : new Step.ReadAgain();
        }
        if (!confirmed(delivery, found)) {
            return new Step.ReadAgain();
        }
        String outcome = entry.ended().orElseThrow().outcome();
        completion.publish(entry.requestId(), outcome);
        log.debug("request {}: delivered again; answered from the journal", entry.requestId());
        return new Step.Ended(new Answer.Published(outcome));
    }

    /**
     * Returns whether this process must close the entry. It must if it ended the entry itself, or if the entry was
     * cancelled and no process owns it yet.
     */
    private boolean isToBeClosedHere(JournalEntry entry) {
        boolean isMine = entry.ownership().processId().equals(context.processId());
        return entry.state() != State.CLOSED && (isMine || Cancellation.hasLeft(entry));
    }

    private Step begin(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> found) {
        Optional<Completion.Without> refusal = refusal(delivery, validation);
        return refusal.isEmpty() && validation instanceof Validation.Valid valid
                ? acquire(delivery, valid.rename(), found)
                : refuse(delivery, refusal.orElseThrow(), found);
    }

    /**
     * Ends a request without a lock. The request still makes an attempt with an empty lock set. This attempt shows
     * whether the journal may have deleted an earlier entry of the request.
     */
    private Step refuse(Delivery delivery, Completion.Without why, Optional<Versioned<JournalEntry>> found) {
        return switch (new Acquisition(stores, watch, context, delivery, LockSet.NONE).acquire(found)) {
            case Acquired.Held held ->
                endWithoutMoves(held.own(), completion.locksOf(held.own().entry()), why);
            case Acquired.Locked locked -> throw new IllegalStateException("an empty lock set cannot be refused");
            case Acquired.Unreadable unreadable ->
                throw new IllegalStateException("an empty lock set needs no read of the tree");
            case Acquired.Expired expired -> expired(delivery, expired.own());
            case Acquired.Stopped stopped -> giveBack(stopped.own());
            case Acquired.Elsewhere elsewhere -> new Step.ReadAgain();
        };
    }

    private Step expired(Delivery delivery, OwnEntry own) {
        return endWithoutMoves(
                own,
                completion.locksOf(own.entry()),
                new Completion.Without(
                        Status.REJECTED,
                        Reason.EXPIRED,
                        "delivered as " + delivery.place()
                                + "; the journal may have deleted the entry of an earlier delivery"));
    }

    private Step acquire(Delivery delivery, Rename rename, Optional<Versioned<JournalEntry>> found) {
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
            case Acquired.Stopped stopped -> giveBack(stopped.own());
            case Acquired.Elsewhere elsewhere -> new Step.ReadAgain();
        };
    }

    private Step giveBack(OwnEntry own) {
        LockSet locks = completion.locksOf(own.entry());
        Standing standing = own.write(own.entry().givenBack());
        if (standing != Standing.OURS) {
            return notOurs(standing, own, locks);
        }
        release(locks, own.entry().releaseOfAll());
        return new Step.Ended(new Answer.Stopped());
    }

    private Step checkAndCommit(OwnEntry own, Rename rename) {
        SnapshotReader.Reading reading;
        try {
            reading = trees.read(rename, context);
        } catch (RefusedException e) {
            return refusedByTree(own, rename, String.valueOf(e.getMessage()));
        }
        return switch (CommitCheck.of(rename, reading.snapshot())) {
            case CommitCheck.No no ->
                endWithoutMoves(
                        own, rename.lockSet(), new Completion.Without(Status.REJECTED, no.reason(), no.message()));
            case CommitCheck.Go go -> commitAndMove(own, rename, reading, go);
        };
    }

    /** Opens the scan of the first pass before the commit. So the commit is the conditional write between the scan and its moves. */
    private Step commitAndMove(OwnEntry own, Rename rename, SnapshotReader.Reading reading, CommitCheck.Go go) {
        TreeSnapshot snapshot = reading.snapshot();
        ReadBeforeCommit opened;
        try {
            opened = trees.open(rename, snapshot);
        } catch (RefusedException e) {
            return refusedByTree(own, rename, String.valueOf(e.getMessage()));
        }
        try (ReadBeforeCommit read = opened) {
            String ownId =
                    snapshot.own().size() == 1 ? snapshot.own().getFirst().ref().id() : null;
            Decision decision =
                    new Decision(context.time().now(), context.processId(), reading.indices(), go.removals(), ownId);
            Standing standing = own.write(own.entry().committed(decision, snapshot.expected()));
            return standing == Standing.OURS
                    ? step(completion.move(own, rename, read), own, rename.lockSet())
                    : notOurs(standing, own, rename.lockSet());
        }
    }

    private Step refusedByTree(OwnEntry own, Rename rename, String why) {
        return endWithoutMoves(own, rename.lockSet(), new Completion.Without(Status.FAILED, Reason.TREE_REFUSED, why));
    }

    private Step endWithoutMoves(OwnEntry own, LockSet locks, Completion.Without why) {
        return step(completion.without(own, locks, why), own, locks);
    }

    private Step notOurs(Standing standing, OwnEntry own, LockSet locks) {
        if (standing == Standing.GIVEN_BACK) {
            release(locks, own.entry().releaseOfHold());
        }
        return new Step.ReadAgain();
    }

    private void release(LockSet locks, Release release) {
        context.retryUntilAnswered(
                "the release of the holds " + release.holdIds(),
                () -> stores.locks().release(locks, release));
        watch.released(locks.parts().keySet(), release);
    }

    private Step step(Completion.Ended ended, OwnEntry own, LockSet locks) {
        return switch (ended) {
            case Completion.Ended.Published published -> new Step.Ended(new Answer.Published(published.outcome()));
            case Completion.Ended.Parked parked -> new Step.Ended(new Answer.Parked());
            case Completion.Ended.NotOurs notOurs -> notOurs(notOurs.standing(), own, locks);
        };
    }

    private OwnEntry own(Versioned<JournalEntry> written) {
        return new OwnEntry(stores.journal(), context, written);
    }
}
