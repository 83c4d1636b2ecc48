package org.treerename.rename;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.journal.State;
import org.treerename.lock.LockSet;
import org.treerename.namespace.Namespace;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Mover.Moved;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Rename;

/**
 * Takes the last steps of a rename that this process owns, until the entry is CLOSED. If the rename ends before any
 * document moves, the completion begins with step 2. Any thread may call this class.
 *
 * <ol>
 *   <li>Move the documents ({@link Mover}). If the process dies here, the entry is MOVING, and the process that rolls
 *       the rename forward begins with this step.
 *   <li>Write the final state and the text of the outcome to the entry. If the process dies after the write, only the
 *       next steps remain.
 *   <li>Release the locks and the claims, by hold id and request id. If the process dies here, the next owner releases
 *       these locks and claims again.
 *   <li>Publish the outcome exactly as stored. If the process dies after this step, the next owner publishes the same
 *       bytes again. If the request has no record, the outcome is published after step 5, with only one try.
 *   <li>Write CLOSED.
 * </ol>
 */
public final class Completion {

    private static final Logger log = LoggerFactory.getLogger(Completion.class);

    private final Stores stores;
    private final ProcessContext context;
    private final LockRelease release;

    /** @param watch the lock watch of this process; it is notified of each release */
    public Completion(Stores stores, ProcessContext context, LockWatch watch) {
        this.stores = stores;
        this.context = context;
        this.release = new LockRelease(stores.locks(), watch, context);
    }

    /**
     * Returns the lock set that the request of an entry needs. If the definition of the namespace is not readable, the
     * method uses the default lock policy.
     */
    public LockSet locksOf(JournalEntry entry) {
        return context.retryUntilAnswered(
                "the namespace of request " + entry.requestId(),
                () -> entry.lockSetAsAsked(name -> readableNamespace(entry.requestId(), name)));
    }

    /**
     * Returns the definition of a namespace; empty if the definition cannot be read. The caller releases the locks even
     * without a definition.
     */
    private Optional<Namespace> readableNamespace(String requestId, String name) {
        try {
            return stores.namespaces().find(name);
        } catch (NoAnswerException | FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            log.warn(
                    "request {}: cannot read the definition of namespace {}; releasing the locks of the request"
                            + " according to the default lock policy",
                    requestId,
                    name,
                    e);
            return Optional.empty();
        }
    }

    /** The end of a rename before any document moves: the rename is rejected or fails. */
    public record Without(Status status, Reason reason, String message) {

        /** The end of a direct rename whose process ended before the commit. */
        public static final Without PROCESS_ENDED = new Without(
                Status.FAILED,
                Reason.PROCESS_ENDED,
                "the process that ran the rename ended before the commit, and nothing has moved");
    }

    /**
     * The result of a completion: the rename is closed, the rename is parked, or this process no longer owns the entry.
     */
    public sealed interface Ended {
        record Published(String outcome) implements Ended {}

        record Parked() implements Ended {}

        /** This process no longer owns the entry. The journal contains the current state. */
        record NotOurs(OwnedResult owned) implements Ended {}
    }

    /** Moves the documents of a decided rename, and completes the rename. */
    public Ended move(OwnEntry own, Rename rename, ReadBeforeCommit read) {
        return move(own, rename, read, () -> {});
    }

    /**
     * Moves the documents of a decided rename, and completes the rename.
     *
     * @param moved runs after the last move
     */
    public Ended move(OwnEntry own, Rename rename, ReadBeforeCommit read, Runnable moved) {
        Moved result = new Mover(stores.tree(), context, rename, own).move(read);
        moved.run();
        return switch (result) {
            case Moved.All all ->
                end(
                        own,
                        rename.lockSet(),
                        outcome(own.entry(), Status.COMPLETED, remark(all), message(rename, all), all),
                        ending -> own.entry().done(ending, all.documents(), all.passes()));
            case Moved.Parked parked -> new Ended.Parked();
            case Moved.Lost lost -> new Ended.NotOurs(OwnedResult.LOST);
        };
    }

    /** Ends a rename before any document moves. */
    public Ended without(OwnEntry own, LockSet locks, Without why) {
        State state = why.status() == Status.FAILED ? State.FAILED : State.REJECTED;
        return end(
                own,
                locks,
                outcome(own.entry(), why.status(), why.reason(), why.message(), Moved.NOTHING),
                ending -> own.entry().ended(state, ending));
    }

    private Ended end(OwnEntry own, LockSet locks, Outcome outcome, Function<Ending, JournalEntry> ended) {
        OwnedResult owned =
                own.write(JournalStep.END, ended.apply(new Ending(outcome.finishedAt(), OutcomeCodec.encode(outcome))));
        if (owned != OwnedResult.OURS) {
            return new Ended.NotOurs(owned);
        }
        return releaseAndClose(own, locks);
    }

    /** Releases the locks of an entry that has ended, publishes its outcome, and closes the entry. */
    public Ended releaseAndClose(OwnEntry own, LockSet locks) {
        release.release(own.entry().requestId(), locks, own.entry().releaseOfAll());
        return publishAndClose(own);
    }

    /**
     * Publishes the outcome of an ended entry whose locks are released, and closes the entry. If the request has no
     * record, the method closes the entry first, because Kafka may be unavailable for a long time.
     */
    public Ended publishAndClose(OwnEntry own) {
        String outcome = own.entry()
                .ended()
                .orElseThrow(
                        () -> new IllegalStateException("request " + own.entry().requestId() + " has not ended"))
                .outcome();
        boolean hasRecord = own.entry().hasRecord();
        if (hasRecord) {
            publish(own.entry(), outcome);
        }
        OwnedResult owned = own.write(JournalStep.CLOSE, own.entry().closed());
        if (owned != OwnedResult.OURS) {
            log.info("request {} ended: {}", own.entry().requestId(), outcome);
            return new Ended.NotOurs(owned);
        }
        if (!hasRecord) {
            publish(own.entry(), outcome);
        }
        log.atLevel(isUnremarkable(own.entry(), outcome) ? Level.DEBUG : Level.INFO)
                .log("request {} closed: {}", own.entry().requestId(), outcome);
        return new Ended.Published(outcome);
    }

    /**
     * Returns whether the process that began the rename completed it, and the outcome has no reason. Most renames end
     * this way, and need no log line at level INFO.
     */
    private boolean isUnremarkable(JournalEntry entry, String text) {
        if (entry.isRolledForward()) {
            return false;
        }
        try {
            Outcome outcome = OutcomeCodec.decode(text);
            return outcome.status() == Status.COMPLETED && outcome.reason() == null;
        } catch (IllegalArgumentException e) {
            log.debug(
                    "request {}: cannot decode its outcome (perhaps written by a later version): {}; logging the"
                            + " outcome at level INFO",
                    entry.requestId(),
                    e.getMessage());
            return false;
        }
    }

    /**
     * Publishes an outcome. If the request has a record, this method repeats the publication until Kafka acknowledges
     * it. If the request has no record, the rename is a direct rename, and this method tries only once. A direct rename
     * must end even if Kafka is unavailable. No reader of Kafka waits for the outcome of a direct rename, and the
     * journal contains this outcome.
     */
    public void publish(JournalEntry entry, String outcome) {
        String requestId = entry.requestId();
        if (entry.hasRecord()) {
            context.retryUntilAnswered(
                    "the outcome of request " + requestId,
                    () -> stores.outcomes().publish(requestId, outcome));
            return;
        }
        try {
            stores.outcomes().publish(requestId, outcome);
        } catch (NoAnswerException | RefusedException e) {
            log.info(
                    "request {}: its outcome was not published ({}); the journal contains the outcome",
                    requestId,
                    e.getMessage());
        }
    }

    /** Returns the ending of an entry in RETRY whose rename fails. No further attempt follows. */
    public Ending failure(JournalEntry entry, Reason reason, String message) {
        Outcome outcome = outcome(entry, Status.FAILED, reason, message, Moved.NOTHING);
        return new Ending(outcome.finishedAt(), OutcomeCodec.encode(outcome));
    }

    private Outcome outcome(
            JournalEntry entry, Status status, @Nullable Reason reason, String message, Moved.All moved) {
        return new Outcome(
                entry.requestId(),
                status,
                reason,
                message,
                moved.documents(),
                moved.newer() + moved.joined(),
                context.processId(),
                entry.isRolledForward(),
                entry.requestedBy(),
                entry.requestedAt(),
                entry.decided().map(Decision::committedAt).orElse(null),
                context.time().now(),
                Outcome.Paths.of(entry.request()));
    }

    private static @Nullable Reason remark(Moved.All all) {
        if (all.newer() > 0) {
            return Reason.OLDER_VERSION;
        }
        return all.mayHaveLeft() || all.joined() > 0 ? Reason.MAY_HAVE_LEFT : null;
    }

    /** Returns the message of a completed rename whose outcome has no reason. */
    public static String message(Rename rename) {
        return rename.changesNothing()
                ? rename.source() + " equals the destination; nothing to move"
                : "renamed " + rename.source() + " to " + rename.destination();
    }

    private static String message(Rename rename, Moved.All all) {
        String newer =
                all.newer() > 0 ? "; documents that stay at the source because of a newer version: " + all.newer() : "";
        String left = all.mayHaveLeft()
                ? "; other programs kept creating documents, and some of these documents may still be below the"
                        + " source"
                : "";
        String joined = all.joined() > 0
                ? "; documents that stay at the source because their index joined the tree after the commit: "
                        + all.joined()
                : "";
        return message(rename) + newer + joined + left;
    }
}
