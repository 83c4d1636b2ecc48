package org.treerename.rename;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Cancels renames that are not decided. The caller needs no process document, no heartbeat and no hold. Any thread may
 * call this class.
 *
 * <ol>
 *   <li>Read the entry. If the process dies here, nothing has changed.
 *   <li>If the entry is PREPARED or RETRY, write it as a no-op, and read the watermark in the same request. If all
 *       records of the request are before the watermark, the request may have ended before, and a late attempt may have
 *       created the entry again. Then leave the entry as it is, and cancel nothing.
 *   <li>Otherwise write the entry conditionally as CANCELLED. The new entry contains the text of the outcome, and an
 *       owner id that no process ever has. If the process dies here or receives no answer, it is not known whether the
 *       write succeeded. A second call returns the final result.
 *   <li>Leave the next steps to another process. That process takes over the entry by a conditional write, releases the
 *       locks, publishes the outcome and writes CLOSED. The worker that processed the request takes over after its next
 *       write is refused. A worker that receives the request again may take over instead. A janitor may take over
 *       instead, because the owner id belongs to no live process. If the new owner dies, a janitor takes over the entry
 *       from the new owner.
 * </ol>
 *
 * <p>A request that still waits in the request topic has no entry. If the caller has read the record of the request,
 * the second step creates the entry in PREPARED, as an attempt without locks does, with an owner id that no process
 * ever has. If the process dies then, a janitor releases the entry for a retry, and the request is processed when Kafka
 * delivers it.
 *
 * <p>The commit is a conditional write of the same entry. So if a cancellation and a commit begin from the same
 * version, one of them is refused. If an attempt is in progress during the cancellation, this attempt has no effect:
 * the write of its entry is refused, and its holds are dead.
 *
 * <p>Before this class returns an answer with an entry, a write of this entry was acknowledged. This write may be a
 * no-op write. A read alone is not sufficient, because a read may show a commit that is never acknowledged. Another
 * attempt may follow an unacknowledged commit.
 */
public final class Cancellation {

    /**
     * The result of a cancellation: whether the rename is cancelled or why not. An acknowledged write has confirmed
     * each entry in an answer.
     */
    public sealed interface Answer {

        /**
         * This call or an earlier call cancelled the rename. The rename had no effect, and the entry contains the
         * outcome.
         */
        record Cancelled(JournalEntry entry) implements Answer {}

        /** The rename is decided and will be finished, or the rename has already ended. */
        record AlreadyDecided(JournalEntry entry) implements Answer {}

        /**
         * The journal contains no entry of the request, except one of an expired request: no worker has begun the
         * request yet, or a janitor may have deleted the entry.
         */
        record NoEntry() implements Answer {}

        /** The entry belongs to a writer, not to a rename. */
        record NoRename() implements Answer {}
    }

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    /**
     * The maximum number of tries. The pauses between the tries last about one second in total. This time does not
     * include the tries themselves.
     */
    public static final int MOST_TRIES = 8;

    private final Journal journal;
    private final Time time;
    private final Backoff.Factory pauses;

    public Cancellation(Journal journal, Time time, Backoff.Factory pauses) {
        this.journal = journal;
        this.time = time;
        this.pauses = pauses;
    }

    /**
     * Cancels a rename if it is not decided.
     *
     * @param by the name of the caller, for the message of the outcome
     * @throws NoAnswerException if the result of the cancellation is not known; the caller may try again
     */
    public Answer cancel(String requestId, String by) {
        return retryUntilAnswered(
                "the cancellation of request " + requestId, () -> tryCancel(requestId, Optional.empty(), by));
    }

    /**
     * Cancels a rename like {@link #cancel(String, String)}, even if no process has begun its request.
     *
     * @param queued the record of the request in the request topic
     */
    public Answer cancel(Delivery queued, String by) {
        return retryUntilAnswered(
                "the cancellation of request " + queued.requestId(),
                () -> tryCancel(queued.requestId(), Optional.of(queued), by));
    }

    /**
     * Returns the entry of a request; empty if the journal contains no entry. If the entry is decided or has ended, an
     * acknowledged write has confirmed this entry, so the caller may rely on this state.
     *
     * @throws NoAnswerException if the entry is not known; the caller may try again
     */
    public Optional<JournalEntry> find(String requestId) {
        return retryUntilAnswered(
                "the read of the journal entry of request " + requestId,
                () -> journal.readOfRequest(requestId)
                        .map(found -> isUndecided(found.value()) ? found.value() : writeNoOp(found)));
    }

    private static boolean isUndecided(JournalEntry entry) {
        return switch (entry.state()) {
            case PREPARED, RETRY, HELD -> true;
            case MOVING, PARKED, DONE, REJECTED, FAILED, CANCELLED, CLOSED -> false;
        };
    }

    private Answer tryCancel(String requestId, Optional<Delivery> queued, String by) {
        Optional<Versioned<JournalEntry>> read = journal.readOfRequest(requestId);
        if (read.isEmpty()) {
            Ownership nobody = new Ownership(Ownership.CANCELLER + requestId, 1, null);
            return queued.map(record ->
                            cancelUnlessExpired(JournalStep.ATTEMPT, JournalEntry.prepared(record, nobody), null, by))
                    .orElseGet(Answer.NoEntry::new);
        }
        Versioned<JournalEntry> found = read.get();
        if (found.value().writeTarget() != null) {
            return new Answer.NoRename();
        }
        return isUndecided(found.value())
                ? cancelUnlessExpired(JournalStep.NO_OP, found.value().withNoOp(), found.version(), by)
                : decided(writeNoOp(found));
    }

    /** @param seen the version of the entry; null if there is no entry yet */
    private Answer cancelUnlessExpired(JournalStep step, JournalEntry entry, @Nullable Version seen, String by) {
        String nobody = Ownership.CANCELLER + entry.requestId();
        Hold unused = new Hold(nobody, nobody, entry.age());
        Journal.Prepared compared = journal.prepare(new Journal.Attempt(step, entry, seen, null, unused, LockSet.NONE));
        if (!(compared.entry() instanceof WriteResult.Written written)) {
            throw hasChanged(entry);
        }
        return compared.expired()
                ? new Answer.NoEntry()
                : new Answer.Cancelled(write(JournalStep.CANCEL, cancelled(entry, by), written.version()));
    }

    private Answer decided(JournalEntry entry) {
        boolean isCancelled = entry.ended()
                .filter(ending -> isCancelled(entry.requestId(), ending.outcome()))
                .isPresent();
        return isCancelled ? new Answer.Cancelled(entry) : new Answer.AlreadyDecided(entry);
    }

    private boolean isCancelled(String requestId, String outcome) {
        try {
            return OutcomeCodec.decode(outcome).status() == Status.CANCELLED;
        } catch (IllegalArgumentException e) {
            log.warn(
                    "request {}: cannot decode its outcome (perhaps written by a later version): {}; treating the"
                            + " request as not cancelled",
                    requestId,
                    e.getMessage());
            return false;
        }
    }

    private JournalEntry cancelled(JournalEntry entry, String by) {
        JournalEntry cancelled = entry.takenOver(Ownership.CANCELLER + entry.requestId());
        Outcome outcome = new Outcome(
                entry.requestId(),
                Status.CANCELLED,
                null,
                "cancelled by " + by + " before it was decided",
                0,
                0,
                cancelled.ownership().processId(),
                false,
                entry.requestedBy(),
                entry.requestedAt(),
                null,
                time.now(),
                Outcome.Paths.of(entry.request()));
        return cancelled.ended(State.CANCELLED, new Ending(outcome.finishedAt(), OutcomeCodec.encode(outcome)));
    }

    private JournalEntry writeNoOp(Versioned<JournalEntry> found) {
        return write(JournalStep.NO_OP, found.value().withNoOp(), found.version());
    }

    /**
     * Writes an entry. Throws if the entry has changed since it was read. In this case, the caller must read the entry
     * again.
     */
    private JournalEntry write(JournalStep step, JournalEntry entry, Version seen) {
        if (journal.write(step, entry, seen) instanceof WriteResult.Written) {
            return entry;
        }
        throw hasChanged(entry);
    }

    private static NoAnswerException hasChanged(JournalEntry entry) {
        return new NoAnswerException(
                "the journal entry of request " + entry.requestId() + " has changed since it was read; try again",
                null);
    }

    private <T> T retryUntilAnswered(String what, Supplier<T> operation) {
        Backoff backoff = pauses.begin(what);
        while (true) {
            try {
                return operation.get();
            } catch (NoAnswerException e) {
                if (backoff.tries() + 1 == MOST_TRIES) {
                    throw e;
                }
                backoff.pause();
            }
        }
    }
}
