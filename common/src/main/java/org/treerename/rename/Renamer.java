package org.treerename.rename;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.rename.Acquisition.Acquired;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.OwnEntry.Standing;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.StopSignal;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Carries one delivered request to its outcome. Any number of threads may call it, each for another delivery; the code of
 * one rename is plain and blocking.
 *
 * <ol>
 *   <li>prepare and acquire ({@link Acquisition}, {@link DocumentLocks}): if we die here, nothing has moved;
 *   <li>check under the locks: if we die here, nothing has moved;
 *   <li>commit with one conditional write: if we die after it, the rename is decided and will be finished;
 *   <li>complete it ({@link Completion}).
 * </ol>
 */
public final class Renamer {

    /** How the carrying of one delivery ended. */
    public sealed interface Answer {

        /** The outcome stands and is published. */
        record Published(String outcome) implements Answer {}

        /** The request id belongs to another request, whose outcome stands. */
        record Reused() implements Answer {}

        /** Decided, but a document cannot be moved; it will end, but not soon. */
        record Parked() implements Answer {}

        /** Its stored entry is damaged, so that not even its end can be written. */
        record Unanswerable(String why) implements Answer {}

        /** It was to stop; the request has not ended, this delivery carries it no longer and is to come again. */
        record Stopped() implements Answer {}
    }

    /** What one go at a request came to. */
    private sealed interface Step {
        record Ended(Answer answer) implements Step {}

        /** Somebody else has, or had, the request: the entry tells more. */
        record Look() implements Step {}
    }

    /**
     * A request by its id and the digest of its content. Two requests under one id are two identities: a thread that carries one of them
     * never picks up the entry of the other one.
     */
    private record RequestIdentity(String requestId, String digest) {}

    private static final Logger log = LoggerFactory.getLogger(Renamer.class);

    private final Stores stores;
    private final OutcomeCodec codec;
    private final ProcessContext context;
    private final Completion completion;
    private final SnapshotReader trees;
    private final LockWatch watch;

    /** The requests that threads of this process carry now. One thread at a time carries one request, however often it is delivered. */
    private final Set<RequestIdentity> underWay;

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
            Set<RequestIdentity> underWay) {
        this.stores = stores;
        this.codec = codec;
        this.context = context;
        this.completion = new Completion(stores, codec, context, watch);
        this.trees = trees;
        this.watch = watch;
        this.underWay = underWay;
    }

    /** The same, for deliveries that a signal of their own can stop. */
    public Renamer stoppedBy(StopSignal stop) {
        return new Renamer(stores, codec, context.stoppedBy(stop), trees, watch, underWay);
    }

    /**
     * Runs one delivery; comes back when it has ended or must be delivered again.
     *
     * @throws RuntimeException for what nobody expected: run again, it goes on from what the journal says
     */
    public Answer run(Delivery delivery) {
        Validation validation = context.retryUntilAnswered(
                "the namespace of " + delivery.requestId(),
                () -> Validation.of(delivery.asked(), stores.namespaces()::find));
        return run(delivery, validation);
    }

    /**
     * Ends one delivery whose work fails whenever it is run: what is not decided fails, what is decided is parked. Where
     * others carry it, their end is waited for.
     *
     * @throws RuntimeException if not even that can be done
     */
    Answer giveUp(Delivery delivery, String why) {
        return run(delivery, new Validation.Hopeless(why));
    }

    private Answer run(Delivery delivery, Validation validation) {
        String requestId = delivery.requestId();
        RequestIdentity identity = new RequestIdentity(requestId, delivery.digest());
        Backoff backoff = context.backoffs().begin("the end of " + requestId);
        boolean carries = underWay.add(identity);
        try {
            Step step = carries ? go(delivery, validation, Optional.empty()) : new Step.Look();
            while (!(step instanceof Step.Ended ended)) {
                carries = carries || underWay.add(identity);
                Optional<Versioned<JournalEntry>> found = context.retryUntilAnswered(
                        "the entry of " + requestId, () -> stores.journal().read(requestId));
                step = carries ? carry(delivery, validation, found) : await(delivery, validation, found);
                if (step instanceof Step.Look) {
                    backoff.pause();
                }
            }
            return ended.answer();
        } finally {
            if (carries) {
                underWay.remove(identity);
            }
        }
    }

    private Step carry(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        if (read.isEmpty()) {
            return go(delivery, validation, read);
        }
        Versioned<JournalEntry> found = read.get();
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery) || entry.state().isFinal()) {
            return look(delivery, validation, found);
        }
        if (OwnEntry.isDropped(entry, context)) {
            return pickUp(delivery, validation, found);
        }
        return context.stop().isRequested() ? leave(delivery, found) : look(delivery, validation, found);
    }

    /** What another thread of this process carries is never begun beside it. */
    private Step await(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> read) {
        boolean ended = read.isPresent() && read.get().value().state().isFinal();
        if (ended) {
            return look(delivery, validation, read.get());
        }
        return context.stop().isRequested() ? new Step.Ended(new Answer.Stopped()) : new Step.Look();
    }

    /** Decides by what stands in the journal: answer from it, begin again, or wait for the end that others bring. */
    private Step look(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value();
        if (!entry.isOf(delivery)) {
            return touched(delivery, found) ? new Step.Ended(new Answer.Reused()) : new Step.Look();
        }
        return switch (entry.state()) {
            case RETRY -> go(delivery, validation, Optional.of(found));
            case PREPARED, HELD, MOVING -> new Step.Look();
            case PARKED -> touched(delivery, found) ? new Step.Ended(new Answer.Parked()) : new Step.Look();
            case DONE, REJECTED, FAILED, CANCELLED, CLOSED -> ended(delivery, found);
        };
    }

    /**
     * Carries on what this process has dropped, once a write is acknowledged: a read that shows PREPARED may be older than
     * the commit, and an attempt takes the last one's hold back.
     */
    private Step pickUp(Delivery delivery, Validation validation, Versioned<JournalEntry> found) {
        Optional<OwnEntry> picked = OwnEntry.pickUp(stores.journal(), context, found);
        if (picked.isEmpty()) {
            return new Step.Look();
        }
        OwnEntry own = picked.get();
        LockSet locks = completion.locksOf(own.entry());
        boolean undecided = own.entry().state() == State.PREPARED;
        Optional<Completion.Without> refusal = refusal(delivery, validation);
        if (undecided && refusal.isPresent()) {
            return without(own, locks, refusal.get());
        }
        if (validation instanceof Validation.Valid valid) {
            return undecided
                    ? acquire(delivery, valid.rename(), Optional.of(own.versioned()))
                    : step(completion.move(own, valid.rename(), ReadBeforeCommit.NOTHING), own, locks);
        }
        return park(own, locks, refusal.orElseThrow().message());
    }

    /** Why a request ends without a lock, if it does. */
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
        String words = "it is to come after " + unmet.requestId();
        return switch (unmet.why()) {
            case UNKNOWN ->
                new Completion.Without(
                        Status.REJECTED, Reason.UNKNOWN_PREDECESSOR, words + ", of which the journal knows nothing");
            case PARKED ->
                new Completion.Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        "waited " + context.lockWait().toSeconds() + " s: " + words + ", which is parked");
            case GIVEN_BACK ->
                new Completion.Without(
                        Status.FAILED,
                        Reason.LOCKED,
                        words + ", which was given back and which nobody has carried since");
        };
    }

    private Step park(OwnEntry own, LockSet locks, String why) {
        Standing standing = completion.park(own, why);
        return standing == Standing.OURS ? new Step.Ended(new Answer.Parked()) : notOurs(standing, own, locks);
    }

    /** Only an acknowledged write shows that the entry is not ours: what nobody here carries would stay as it is. */
    private Step leave(Delivery delivery, Versioned<JournalEntry> found) {
        return touched(delivery, found) ? new Step.Ended(new Answer.Stopped()) : new Step.Look();
    }

    /**
     * An offset is let go only after an acknowledged write: what was read may be stale. It keeps where this record stands,
     * so that the watermark covers it before the entry is deleted.
     */
    private boolean touched(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry touched = found.value().deliveredBy(delivery).touched();
        return context.retryUntilAnswered(
                "the touch of " + touched.requestId(),
                () -> stores.journal().write(touched, found.version()) instanceof WriteResult.Written);
    }

    private Optional<OwnEntry> ownEnded(JournalEntry ended, Version seen) {
        boolean isCancelled = Cancellation.hasLeft(ended);
        JournalEntry mine = isCancelled ? ended.takenOver(context.processId()) : ended.touched();
        WriteResult result = context.retryUntilAnswered(
                "the finishing of " + mine.requestId(), () -> stores.journal().write(mine, seen));
        return result instanceof WriteResult.Written written
                ? Optional.of(own(new Versioned<>(mine, written.version())))
                : Optional.empty();
    }

    /** Nothing is published that only a read has shown: it may come from a copy whose writes nobody acknowledges. */
    private Step ended(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value().deliveredBy(delivery);
        if (isToBeClosedHere(entry)) {
            Optional<OwnEntry> own = ownEnded(entry, found.version());
            if (own.isEmpty()) {
                return new Step.Look();
            }
            Completion.Ended ended = completion.releaseAndClose(own.get(), completion.locksOf(entry));
            return ended instanceof Completion.Ended.Published published
                    ? new Step.Ended(new Answer.Published(published.outcome()))
                    : new Step.Look();
        }
        if (!touched(delivery, found)) {
            return new Step.Look();
        }
        String outcome = entry.ended().orElseThrow().outcome();
        completion.publish(entry.requestId(), outcome);
        log.debug("request {} was delivered again and answered from the journal", entry.requestId());
        return new Step.Ended(new Answer.Published(outcome));
    }

    /** What this process has ended, and what was cancelled, which nobody is at until somebody takes it over. */
    private boolean isToBeClosedHere(JournalEntry entry) {
        boolean isMine = entry.ownership().processId().equals(context.processId());
        return entry.state() != State.CLOSED && (isMine || Cancellation.hasLeft(entry));
    }

    private Step go(Delivery delivery, Validation validation, Optional<Versioned<JournalEntry>> found) {
        Optional<Completion.Without> refusal = refusal(delivery, validation);
        return refusal.isEmpty() && validation instanceof Validation.Valid valid
                ? acquire(delivery, valid.rename(), found)
                : refuse(delivery, refusal.orElseThrow(), found);
    }

    /** Without a lock; by an attempt all the same, which tells whether the journal may have forgotten that it was done. */
    private Step refuse(Delivery delivery, Completion.Without why, Optional<Versioned<JournalEntry>> found) {
        return switch (new Acquisition(stores, watch, context, delivery, LockSet.NONE).acquire(found)) {
            case Acquired.Held held ->
                without(held.own(), completion.locksOf(held.own().entry()), why);
            case Acquired.Locked locked -> throw new IllegalStateException("an empty lock set cannot be refused");
            case Acquired.Unreadable unreadable ->
                throw new IllegalStateException("an empty lock set needs no read of the tree");
            case Acquired.Expired expired -> expired(delivery, expired.own());
            case Acquired.Stopped stopped -> giveBack(stopped.own());
            case Acquired.Elsewhere elsewhere -> new Step.Look();
        };
    }

    private Step expired(Delivery delivery, OwnEntry own) {
        return without(
                own,
                completion.locksOf(own.entry()),
                new Completion.Without(
                        Status.REJECTED,
                        Reason.EXPIRED,
                        "delivered as " + delivery.place()
                                + ", where the journal may have forgotten that it was carried out"));
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
                without(
                        locked.own(),
                        locks,
                        new Completion.Without(
                                Status.FAILED,
                                Reason.LOCKED,
                                "waited " + context.lockWait().toSeconds() + " s: "
                                        + locked.blockers().getFirst()));
            case Acquired.Expired expired -> expired(delivery, expired.own());
            case Acquired.Stopped stopped -> giveBack(stopped.own());
            case Acquired.Elsewhere elsewhere -> new Step.Look();
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
                without(own, rename.lockSet(), new Completion.Without(Status.REJECTED, no.reason(), no.message()));
            case CommitCheck.Go go -> commitAndMove(own, rename, reading, go);
        };
    }

    /** Opens the scan of the first pass before the commit. Then the commit is the write between the scan and its moves. */
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
        return without(own, rename.lockSet(), new Completion.Without(Status.FAILED, Reason.TREE_REFUSED, why));
    }

    private Step without(OwnEntry own, LockSet locks, Completion.Without why) {
        return step(completion.without(own, locks, why), own, locks);
    }

    private Step notOurs(Standing standing, OwnEntry own, LockSet locks) {
        if (standing == Standing.GIVEN_BACK) {
            release(locks, own.entry().releaseOfHold());
        }
        return new Step.Look();
    }

    private void release(LockSet locks, Release release) {
        context.retryUntilAnswered(
                "the giving back of " + release.holdIds(), () -> stores.locks().release(locks, release));
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
