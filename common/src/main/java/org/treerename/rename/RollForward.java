package org.treerename.rename;

import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.process.FencedException;
import org.treerename.process.FencedProcesses;
import org.treerename.process.Liveness;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.rename.OwnEntry.Standing;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Takes over a rename whose process is not live and brings it to its end, by the same code that workers run, or closes what a
 * writer held. Any thread may call it; two that take over the same rename settle it by their conditional writes.
 *
 * <ol>
 *   <li>take over: a conditional write with this process as owner and a raised epoch; if we die here, the next janitor
 *       takes over from us;
 *   <li>where nothing was decided, give back the holds and the claims, then write RETRY: if we die in between, it is done
 *       again, and Kafka delivers the request again;
 *   <li>where it was decided, move on from there ({@link Completion}), or park it where its namespace is gone;
 *   <li>where it had ended, release, publish and close;
 *   <li>where it is a writer's, give back its holds and claims, then write CLOSED: nothing is rolled forward or published; if we
 *       die in between, it is done again.
 * </ol>
 */
public final class RollForward {

    /** What became of it. */
    public enum Result {
        /** Its process lives, or it needs nobody. */
        LEFT_ALONE,
        GIVEN_BACK,
        CLOSED,
        PARKED,
        /** Somebody else was faster. */
        LOST
    }

    private static final Logger log = LoggerFactory.getLogger(RollForward.class);

    private final Stores stores;
    private final ProcessStore processes;
    private final FencedProcesses fenced;
    private final ProcessContext context;
    private final Completion completion;

    /**
     * Creates one.
     *
     * @param fenced knows when a fenced writer has stopped writing
     */
    public RollForward(
            Stores stores, ProcessStore processes, FencedProcesses fenced, OutcomeCodec codec, ProcessContext context) {
        this.stores = stores;
        this.processes = processes;
        this.fenced = fenced;
        this.context = context;
        this.completion = new Completion(stores, codec, context, new LockWatch(stores.locks()));
    }

    /** Takes it over if its owner is not live. The caller sees to it that this process carries it once at a time. */
    public Result ofDead(String requestId) {
        Optional<Versioned<JournalEntry>> found = read(requestId);
        if (found.isEmpty()
                || !found.get().value().state().needsOwner()
                || ownerLives(found.get().value())
                || ownerMayStillWrite(found.get().value())) {
            return Result.LEFT_ALONE;
        }
        return takeOverTelling(found.get());
    }

    /** Takes a parked rename over, whoever parked it: nobody is at work on it. */
    public Result ofParked(String requestId) {
        Optional<Versioned<JournalEntry>> found = read(requestId);
        if (found.isEmpty() || found.get().value().state() != State.PARKED) {
            return Result.LEFT_ALONE;
        }
        return takeOverTelling(found.get());
    }

    /**
     * Fails a rename that was given back if it is older than {@code limit}: its record is not in the log any more. One
     * conditional write takes it over and ends it; if we die after that, it is a rename that has ended, of a process that
     * is not live.
     */
    public Result ofNotDelivered(String requestId, Instant limit) {
        Optional<Versioned<JournalEntry>> found = read(requestId)
                .filter(entry -> entry.value().state() == State.RETRY)
                .filter(entry -> entry.value().isOlderThan(limit));
        if (found.isEmpty()) {
            return Result.LEFT_ALONE;
        }
        context.beforeWriting("the end of " + requestId);
        JournalEntry mine = found.get().value().takenOver(context.processId());
        String message = "given back, and not delivered again before the log forgot it";
        JournalEntry failed = mine.ended(State.FAILED, completion.failure(mine, Reason.NOT_DELIVERED_AGAIN, message));
        return switch (stores.journal().write(failed, found.get().version())) {
            case WriteResult.Conflict conflict -> Result.LOST;
            case WriteResult.Written written ->
                result(completion.publishAndClose(
                        new OwnEntry(stores.journal(), context, new Versioned<>(failed, written.version()))));
        };
    }

    /**
     * Releases the locks of {@linkplain JournalCleanup#madeAgain a late attempt} and gives its entry back, even if its process lives. A process that
     * carries the request after all finds the entry in RETRY and begins again.
     */
    public Result ofMadeAgain(String requestId) {
        Optional<Versioned<JournalEntry>> found = read(requestId);
        if (found.isEmpty() || found.get().value().state() != State.PREPARED) {
            return Result.LEFT_ALONE;
        }
        return takeOverTelling(found.get());
    }

    private Optional<Versioned<JournalEntry>> read(String requestId) {
        return context.retryUntilAnswered(
                "the entry of " + requestId, () -> stores.journal().read(requestId));
    }

    /**
     * An entry of this process that nobody carries is one whose take-over got no answer: it is taken over once more. What was
     * cancelled has an owner that is no process, so there is none to be kept from beginning.
     */
    private boolean ownerLives(JournalEntry entry) {
        ProcessId owner = new ProcessId(entry.ownership().processId());
        if (owner.text().equals(context.processId()) || Cancellation.hasLeft(entry)) {
            return false;
        }
        return context.retryUntilAnswered(
                "the process " + owner,
                () -> !Liveness.hasEnded(processes, owner, context.time().now()));
    }

    /**
     * Returns whether a writer may still write under its hold. Nothing protects its documents from a rename that acquires the
     * locks too early. What the owner of a rename still writes carries sequence numbers, and needs no such delay.
     */
    private boolean ownerMayStillWrite(JournalEntry entry) {
        ProcessId owner = new ProcessId(entry.ownership().processId());
        if (entry.state() != State.HELD || owner.text().equals(context.processId())) {
            return false;
        }
        Optional<ProcessDocument> document = context.retryUntilAnswered(
                        "the process " + owner, () -> processes.read(owner))
                .map(Versioned::value);
        return !fenced.hasStoppedWriting(owner, document);
    }

    /** Every line that is logged meanwhile tells of which rename it is. */
    private Result takeOverTelling(Versioned<JournalEntry> found) {
        try (LogContext logContext = LogContext.of(context.processId(), found.value())) {
            return takeOver(found);
        }
    }

    private Result takeOver(Versioned<JournalEntry> found) {
        context.beforeWriting("the take-over of " + found.value().requestId());
        JournalEntry mine = found.value().takenOver(context.processId());
        WriteResult result = stores.journal().write(mine, found.version());
        return switch (result) {
            case WriteResult.Conflict conflict -> Result.LOST;
            case WriteResult.Written written -> {
                log.warn(
                        "took over request {} ({}) from {}, epoch {}",
                        mine.requestId(),
                        mine.state(),
                        found.value().ownership().processId(),
                        mine.ownership().epoch());
                yield carryOn(new OwnEntry(stores.journal(), context, new Versioned<>(mine, written.version())));
            }
        };
    }

    /** Only what moves documents needs the tree's definition: everything else is done where that is gone, too. */
    private Result carryOn(OwnEntry own) {
        LockSet locks = completion.locksOf(own.entry());
        return switch (own.entry().state()) {
            case PREPARED -> giveBack(own, locks);
            case HELD -> close(own, locks);
            case MOVING, PARKED -> moveOrPark(own);
            case DONE, REJECTED, FAILED, CANCELLED -> result(completion.releaseAndClose(own, locks));
            case RETRY, CLOSED -> Result.LEFT_ALONE;
        };
    }

    /** What fails unexpectedly is tried again like all that is parked, and not at the next tick. */
    private Result moveOrPark(OwnEntry own) {
        try {
            return move(own);
        } catch (NoAnswerException | FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            log.error("request {} failed unexpectedly", own.entry().requestId(), e);
            State state = own.entry().state();
            return state == State.MOVING || state == State.PARKED ? park(own, RetryLimit.inWords(e)) : Result.LOST;
        }
    }

    private Result move(OwnEntry own) {
        Validation validation = context.retryUntilAnswered(
                "the namespace of " + own.entry().requestId(),
                () -> Validation.of(own.entry().asked(), stores.namespaces()::find));
        return switch (validation) {
            case Validation.Valid valid ->
                isMoving(own) ? result(completion.move(own, valid.rename(), ReadBeforeCommit.NOTHING)) : Result.LOST;
            case Validation.Invalid invalid -> park(own, invalid.message());
            case Validation.Hopeless hopeless -> park(own, hopeless.message());
        };
    }

    /** MOVING again before anything else: where what parked it is gone, no pass would write the entry and make it so. */
    private static boolean isMoving(OwnEntry own) {
        if (own.entry().state() == State.MOVING) {
            return true;
        }
        JournalEntry.Progress progress = own.entry().progress();
        return own.write(own.entry().progressed(progress.moved(), progress.passes())) == Standing.OURS;
    }

    private Result park(OwnEntry own, String why) {
        return completion.park(own, why) == Standing.OURS ? Result.PARKED : Result.LOST;
    }

    private Result giveBack(OwnEntry own, LockSet locks) {
        release(own, locks);
        return own.write(own.entry().givenBack()) == Standing.OURS ? Result.GIVEN_BACK : Result.LOST;
    }

    private Result close(OwnEntry own, LockSet locks) {
        release(own, locks);
        return own.write(own.entry().closed()) == Standing.OURS ? Result.CLOSED : Result.LOST;
    }

    private void release(OwnEntry own, LockSet locks) {
        Release all = own.entry().releaseOfAll();
        context.retryUntilAnswered(
                "the giving back of " + own.entry().requestId(),
                () -> stores.locks().release(locks, all));
    }

    private static Result result(Completion.Ended ended) {
        return switch (ended) {
            case Completion.Ended.Published published -> Result.CLOSED;
            case Completion.Ended.Parked parked -> Result.PARKED;
            case Completion.Ended.NotOurs notOurs -> Result.LOST;
        };
    }
}
