package org.treerename.rename;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
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
 * Cancels renames that are not decided. The caller need not be a process of tree rename: it has no heartbeat and no
 * hold. Any thread may call this class.
 *
 * <ol>
 *   <li>Read the entry. If the process dies here, nothing has changed.
 *   <li>If the entry is PREPARED or RETRY, write it conditionally as CANCELLED. The new entry has the text of the
 *       outcome, and an owner id that no process ever has. If the process dies here or gets no answer, it is not known
 *       whether the write succeeded. A second call returns the result.
 *   <li>Leave the rest to a process that takes the entry over by its own write. That process releases the locks,
 *       publishes the outcome and writes CLOSED. The process that takes over is the worker that processed the request,
 *       after the next write of this worker is refused. Or a worker that receives the request again takes over, or a
 *       janitor, because the owner is not live. If the process that takes over dies, the next janitor takes over the
 *       entry, like the entry of any rename that has ended.
 * </ol>
 *
 * <p>The commit is a conditional write of the same entry. So if a cancellation and a commit begin from the same
 * version, one of them is refused. An attempt that is in progress has no effect: the write of its entry is refused, and
 * its holds are dead.
 *
 * <p>The caller gets its answer only after an acknowledged write, which may be a no-op write. A read alone is not
 * enough: it may show a commit that is never acknowledged. Another attempt may then follow.
 */
public final class Cancellation {

    /**
     * The result of a cancellation: whether the rename is cancelled or why not. An acknowledged write has confirmed
     * each given entry.
     */
    public sealed interface Answer {

        /** This call or an earlier call cancelled the rename. The rename had no effect, and the entry has its outcome. */
        record Cancelled(JournalEntry entry) implements Answer {}

        /** The rename was already decided. It will be finished, or it already has its outcome. */
        record AlreadyDecided(JournalEntry entry) implements Answer {}

        /** There is no entry: no worker has begun the request yet, or the journal has deleted the entry. */
        record NoEntry() implements Answer {}

        /** The entry is the hold of a writer. */
        record NoRename() implements Answer {}
    }

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    /** The largest number of tries. All pauses together take about one second, without the time until each answer. */
    public static final int MOST_TRIES = 8;

    /** The owner id of a cancelled entry begins with this text. No process id begins with this text. */
    private static final String OWNER = "cancel-";

    private final Journal journal;
    private final OutcomeCodec codec;
    private final Time time;
    private final Backoff.Factory pauses;

    public Cancellation(Journal journal, OutcomeCodec codec, Time time, Backoff.Factory pauses) {
        this.journal = journal;
        this.codec = codec;
        this.time = time;
        this.pauses = pauses;
    }

    /** Returns whether the entry is still as the cancellation wrote it. Then no process has taken it over yet. */
    public static boolean hasLeft(JournalEntry entry) {
        return entry.state() == State.CANCELLED && entry.ownership().processId().equals(OWNER + entry.requestId());
    }

    /**
     * Cancels a rename if it is not decided.
     *
     * @param by the name of the caller, for the message of the outcome
     * @throws NoAnswerException if the cancellation has no known result; the caller may try again
     */
    public Answer cancel(String requestId, String by) {
        return retryUntilAnswered("the cancellation of request " + requestId, () -> tryCancel(requestId, by));
    }

    /**
     * Returns the entry of a request; empty if there is none. If the entry is decided, an acknowledged write has
     * confirmed it, so the caller may act on it.
     *
     * @throws NoAnswerException if the entry is not known; the caller may try again
     */
    public Optional<JournalEntry> find(String requestId) {
        return retryUntilAnswered(
                "the journal entry of request " + requestId,
                () -> journal.readOfRequest(requestId)
                        .map(found -> isUndecided(found.value()) ? found.value() : writeNoOp(found)));
    }

    private static boolean isUndecided(JournalEntry entry) {
        return switch (entry.state()) {
            case PREPARED, RETRY, HELD -> true;
            case MOVING, PARKED, DONE, REJECTED, FAILED, CANCELLED, CLOSED -> false;
        };
    }

    private Answer tryCancel(String requestId, String by) {
        Optional<Versioned<JournalEntry>> read = journal.readOfRequest(requestId);
        if (read.isEmpty()) {
            return new Answer.NoEntry();
        }
        Versioned<JournalEntry> found = read.get();
        if (found.value().writeTarget() != null) {
            return new Answer.NoRename();
        }
        return isUndecided(found.value())
                ? new Answer.Cancelled(write(JournalStep.CANCEL, cancelled(found.value(), by), found.version()))
                : decided(writeNoOp(found));
    }

    private Answer decided(JournalEntry entry) {
        boolean isCancelled =
                entry.ended().filter(ending -> isCancelled(ending.outcome())).isPresent();
        return isCancelled ? new Answer.Cancelled(entry) : new Answer.AlreadyDecided(entry);
    }

    private boolean isCancelled(String outcome) {
        try {
            return codec.decode(outcome).status() == Status.CANCELLED;
        } catch (IllegalArgumentException e) {
            log.warn(
                    "cannot decode an outcome, which a later version may have written: {}; treating the request as not cancelled",
                    e.getMessage());
            return false;
        }
    }

    private JournalEntry cancelled(JournalEntry entry, String by) {
        JournalEntry cancelled = entry.takenOver(OWNER + entry.requestId());
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
        return cancelled.ended(State.CANCELLED, new Ending(outcome.finishedAt(), codec.encode(outcome)));
    }

    private JournalEntry writeNoOp(Versioned<JournalEntry> found) {
        return write(JournalStep.NO_OP, found.value().withNoOp(), found.version());
    }

    /** Writes an entry. If the write is refused, the entry has changed since it was read, and the caller reads it again. */
    private JournalEntry write(JournalStep step, JournalEntry entry, Version seen) {
        if (journal.write(step, entry, seen) instanceof WriteResult.Written) {
            return entry;
        }
        throw new NoAnswerException(
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
