package org.treerename.janitor.recovery;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.journal.Parking;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.Watermark;
import org.treerename.lock.LockSet;
import org.treerename.observe.LogContext;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Completion;
import org.treerename.rename.Failure;
import org.treerename.rename.LockRelease;
import org.treerename.rename.LockWatch;
import org.treerename.rename.ReadBeforeCommit;
import org.treerename.rename.Stores;
import org.treerename.rename.Validation;
import org.treerename.request.Reason;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Takes over a rename whose process is not live, and finishes it with the code that workers run. If the process of a
 * writer is not live, closes the entry of the writer. Any thread may call this class: if two callers take over the same
 * rename, the conditional write of one caller fails.
 *
 * <ol>
 *   <li>Take the rename over: a conditional write makes this process the owner and raises the epoch. If this process
 *       dies here, another janitor takes the rename over.
 *   <li>If the rename was not decided: release the holds and the claims, then write RETRY. If this process dies between
 *       these steps, the next janitor repeats both steps. Kafka delivers the request again. A direct rename has no
 *       record in the log, so it fails instead: write FAILED, then continue like an ended rename.
 *   <li>If the rename was decided: continue the move ({@link Completion}), or park the rename if its namespace does not
 *       exist any more.
 *   <li>If the rename had ended: release its locks, publish its outcome, and close its entry.
 *   <li>If the entry belongs to a writer: release its holds and claims, then write CLOSED. There is no move and no
 *       outcome. If this process dies between these steps, the next janitor repeats both steps.
 * </ol>
 */
public final class RollForward {

    /** The result of a take-over. */
    public enum Result {
        /** The process of the entry is live, or the entry needs no owner. */
        LEFT_ALONE,
        RELEASED,
        CLOSED,
        PARKED,
        /** Another process changed the entry first. */
        LOST
    }

    private static final Logger log = LoggerFactory.getLogger(RollForward.class);

    private final Stores stores;
    private final Owners owners;
    private final ProcessContext context;
    private final Completion completion;
    private final LockRelease release;
    private final MovePermits moves;
    private final Watermark watermark;

    /**
     * @param watermark the watermark; it shows whether a late request has created the entry of a direct rename again
     * @param fenced returns whether a fenced writer has stopped writing
     */
    public RollForward(
            Stores stores,
            Watermark watermark,
            ProcessStore processes,
            FencedProcesses fenced,
            ProcessContext context) {
        this.stores = stores;
        this.watermark = watermark;
        this.owners = new Owners(processes, fenced, context);
        this.context = context;
        this.moves = new MovePermits(context.stop());
        LockWatch watch = new LockWatch(stores.locks());
        this.completion = new Completion(stores, context, watch);
        this.release = new LockRelease(stores.locks(), watch, context);
    }

    /** Returns those of the given owners of entries that are not live. */
    public Set<String> ended(Set<String> ownerIds) {
        return owners.ended(ownerIds);
    }

    /**
     * Takes over a request whose owner is not live, and finishes it. The caller ensures that only one thread of this
     * process processes the request.
     */
    public Result ofDead(String requestId) {
        Optional<Versioned<JournalEntry>> found = read(requestId);
        if (found.isEmpty()
                || !found.get().value().state().needsOwner()
                || owners.mayAct(found.get().value())) {
            return Result.LEFT_ALONE;
        }
        return takeOverWithLogContext(found.get());
    }

    /** Takes over a parked rename from any owner and continues it. No process is working on a parked rename. */
    public Result ofParked(String requestId) {
        Optional<Versioned<JournalEntry>> found = read(requestId);
        if (found.isEmpty() || found.get().value().state() != State.PARKED) {
            return Result.LEFT_ALONE;
        }
        return takeOverWithLogContext(found.get());
    }

    /**
     * Fails a request in RETRY that is older than {@code limit}: the log does not contain its record any more. One
     * conditional write takes the entry over and ends it. If this process dies after this write, a janitor takes over
     * the ended rename, publishes its outcome, and closes its entry.
     */
    public Result ofNotDelivered(String requestId, Instant limit) {
        Optional<Versioned<JournalEntry>> found = read(requestId)
                .filter(entry -> entry.value().state() == State.RETRY)
                .filter(entry -> entry.value().isOlderThan(limit));
        if (found.isEmpty()) {
            return Result.LEFT_ALONE;
        }
        context.beforeWriting("the end of request " + requestId);
        JournalEntry mine = found.get().value().takenOver(context.processId());
        String message = "the request was released for a retry, but Kafka did not deliver the request again while the"
                + " topic contained its record; send the request again under a new request id";
        JournalEntry failed = mine.ended(State.FAILED, completion.failure(mine, Reason.NOT_DELIVERED_AGAIN, message));
        return switch (stores.journal()
                .write(JournalStep.NOT_DELIVERED, failed, found.get().version())) {
            case WriteResult.Conflict conflict -> Result.LOST;
            case WriteResult.Written written ->
                result(completion.publishAndClose(
                        new OwnEntry(stores.journal(), context, new Versioned<>(failed, written.version()))));
        };
    }

    /**
     * Releases the locks of an entry that {@linkplain JournalCleanup#recreated a late attempt} has created again, and
     * sets the entry to RETRY. The process of the entry may be live. A process that still processes the request finds
     * the entry in RETRY and begins again.
     */
    public Result ofMadeAgain(String requestId, Instant limit) {
        Optional<Versioned<JournalEntry>> found = read(requestId)
                .filter(entry -> entry.value().state() == State.PREPARED)
                .filter(entry -> entry.value().isOlderThan(limit));
        if (found.isEmpty()) {
            return Result.LEFT_ALONE;
        }
        return takeOverWithLogContext(found.get());
    }

    private Optional<Versioned<JournalEntry>> read(String requestId) {
        return context.retryUntilAnswered(
                "the journal entry of request " + requestId,
                () -> stores.journal().read(requestId));
    }

    private Result takeOverWithLogContext(Versioned<JournalEntry> found) {
        try (LogContext logContext = LogContext.of(context.processId(), found.value())) {
            boolean isMove =
                    found.value().state() == State.MOVING || found.value().state() == State.PARKED;
            if (!isMove) {
                return takeOver(found, () -> {});
            }
            Optional<MovePermits.Permit> permit = moves.acquire(found.value().namespace());
            if (permit.isEmpty()) {
                return Result.LEFT_ALONE;
            }
            try (MovePermits.Permit held = permit.get()) {
                return takeOver(found, held::close);
            }
        }
    }

    /** @param moved runs when the documents have moved, because the end of a rename needs no permit for a move */
    private Result takeOver(Versioned<JournalEntry> found, Runnable moved) {
        context.beforeWriting("the take-over of request " + found.value().requestId());
        JournalEntry mine = found.value().takenOver(context.processId());
        boolean isOwn = found.value().ownership().processId().equals(context.processId());
        JournalStep step = isOwn ? JournalStep.PICK_UP : JournalStep.TAKE_OVER;
        WriteResult result = stores.journal().write(step, mine, found.version());
        return switch (result) {
            case WriteResult.Conflict conflict -> Result.LOST;
            case WriteResult.Written written -> {
                log.warn(
                        "request {} ({}, epoch {}): {} from process {}; this process finishes the request or releases"
                                + " it for a retry",
                        mine.requestId(),
                        mine.state(),
                        mine.ownership().epoch(),
                        isOwn ? "picked up again" : "taken over",
                        found.value().ownership().processId());
                yield continueTakenOver(
                        new OwnEntry(stores.journal(), context, new Versioned<>(mine, written.version())), moved);
            }
        };
    }

    /**
     * Continues the rename with the step that the state of its entry requires. Only a move needs the definition of the
     * namespace. All other steps are possible even if the definition does not exist any more.
     */
    private Result continueTakenOver(OwnEntry own, Runnable moved) {
        LockSet locks = completion.locksOf(own.entry());
        return switch (own.entry().state()) {
            case PREPARED -> isDeliveredAgain(own) ? releaseForRetry(own, locks) : fail(own, locks);
            case HELD -> close(own, locks);
            case MOVING, PARKED -> moveOrPark(own, moved);
            case DONE, REJECTED, FAILED, CANCELLED -> result(completion.releaseAndClose(own, locks));
            case RETRY, CLOSED -> Result.LEFT_ALONE;
        };
    }

    /**
     * Moves the documents, or parks the rename after an unexpected failure. A janitor waits for longer than one tick
     * before it retries a parked rename.
     */
    private Result moveOrPark(OwnEntry own, Runnable moved) {
        try {
            return move(own, moved);
        } catch (NoAnswerException | FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error(
                    "request {}: the roll-forward failed unexpectedly; the request is parked if it is decided",
                    own.entry().requestId(),
                    e);
            State state = own.entry().state();
            return state == State.MOVING || state == State.PARKED ? park(own, Failure.inWords(e)) : Result.LOST;
        }
    }

    private Result move(OwnEntry own, Runnable moved) {
        Validation validation = context.retryUntilAnswered(
                "the namespace of request " + own.entry().requestId(),
                () -> Validation.of(own.entry().asked(), stores.namespaces()::find));
        return switch (validation) {
            case Validation.Valid valid ->
                isMoving(own)
                        ? result(completion.move(own, valid.rename(), ReadBeforeCommit.NOTHING, moved))
                        : Result.LOST;
            case Validation.Invalid invalid -> park(own, invalid.message());
            case Validation.Hopeless hopeless -> park(own, hopeless.message());
        };
    }

    /**
     * Returns whether the entry is MOVING. If the entry is PARKED, first changes it to MOVING. Without this change, the
     * passes may end without a write of the entry.
     */
    private static boolean isMoving(OwnEntry own) {
        if (own.entry().state() == State.MOVING) {
            return true;
        }
        Progress progress = own.entry().progress();
        return own.write(JournalStep.RESUME, own.entry().progressed(progress.moved(), progress.passes()))
                == OwnedResult.OURS;
    }

    private Result park(OwnEntry own, String why) {
        return own.park(new Parking(why, List.of())) == OwnedResult.OURS ? Result.PARKED : Result.LOST;
    }

    /**
     * Returns whether the entry waits for another delivery of its request. Kafka does not deliver a direct rename. If a
     * late request has created the entry of a direct rename again, the rename has an outcome already. So this entry
     * becomes RETRY as well, and the {@linkplain JournalCleanup#notDelivered clean-up} deletes it.
     */
    private boolean isDeliveredAgain(OwnEntry own) {
        return !own.entry().isDirect()
                || context.retryUntilAnswered(
                        "the watermark for request " + own.entry().requestId(),
                        () -> own.entry().isCoveredBy(watermark.confirmed().at()));
    }

    private Result fail(OwnEntry own, LockSet locks) {
        return result(completion.without(own, locks, Completion.Without.PROCESS_ENDED));
    }

    private Result releaseForRetry(OwnEntry own, LockSet locks) {
        return release.releaseForRetry(own, locks) == OwnedResult.OURS ? Result.RELEASED : Result.LOST;
    }

    private Result close(OwnEntry own, LockSet locks) {
        release.release(own.entry().requestId(), locks, own.entry().releaseOfAll());
        return own.write(JournalStep.CLOSE, own.entry().closed()) == OwnedResult.OURS ? Result.CLOSED : Result.LOST;
    }

    private static Result result(Completion.Ended ended) {
        return switch (ended) {
            case Completion.Ended.Published published -> Result.CLOSED;
            case Completion.Ended.Parked parked -> Result.PARKED;
            case Completion.Ended.NotOurs notOurs -> Result.LOST;
        };
    }
}
