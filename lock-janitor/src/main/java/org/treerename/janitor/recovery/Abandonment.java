package org.treerename.janitor.recovery;

import java.util.Optional;
import java.util.function.Supplier;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.namespace.Namespaces;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import org.treerename.tree.TreeStore;

/**
 * Ends parked renames that cannot finish. The caller needs no process document, no heartbeat and no hold. Any thread
 * may call this class.
 *
 * <ol>
 *   <li>Read the entry. It must be PARKED. If the program dies here, nothing has changed.
 *   <li>Seal the documents that are left at the source: write each of them once more, at its path, in the version that
 *       was read. So a move that an owner of the rename sent before the entry was read is refused, however late it
 *       arrives. If documents that the rename replaces may not all be removed yet, seal them as well. If the program
 *       dies here, the rename is still parked.
 *   <li>Write DONE on the version of the entry that step 1 has read, with the outcome and an owner id that no process
 *       ever has. If the rename was continued since step 1, this write is refused. If the program dies here, it is not
 *       known whether the write succeeded. A second call returns the result.
 *   <li>Leave the next steps to a janitor: it takes over the entry, releases the locks, publishes the outcome, and
 *       writes CLOSED.
 * </ol>
 *
 * <p>Step 2 ({@link Seal}) is left out if the namespace does not exist any more, or if its index cannot be read.
 */
public final class Abandonment {

    /** The result of an abandonment. */
    public sealed interface Answer {

        /** This call or an earlier call abandoned the rename. An acknowledged write has confirmed the entry. */
        record Abandoned(JournalEntry entry) implements Answer {}

        /** The rename is not parked. */
        record NotParked(JournalEntry entry) implements Answer {}

        /** The journal contains no entry. */
        record NoEntry() implements Answer {}
    }

    /** The maximum number of tries. The pauses between the tries last about one second in total. */
    private static final int MOST_TRIES = 8;

    private final Journal journal;
    private final Seal seal;
    private final Time time;
    private final Backoff.Factory pauses;

    public Abandonment(Journal journal, Namespaces namespaces, TreeStore tree, Time time, Backoff.Factory pauses) {
        this.journal = journal;
        this.seal = new Seal(namespaces, tree);
        this.time = time;
        this.pauses = pauses;
    }

    /**
     * Counts the documents that a parked rename has not moved. Writes nothing. Returns empty if the rename is not
     * parked.
     *
     * @throws NoAnswerException if the store does not answer; the caller may try again
     */
    public Optional<Unmoved> examine(String requestId) {
        return retryUntilAnswered(requestId, () -> parked(requestId).map(seal::count));
    }

    /**
     * Seals the documents that a parked rename has not moved. Returns empty if the rename is not parked.
     *
     * @throws NoAnswerException if the store does not answer; the caller may try again
     */
    public Optional<Unmoved> seal(String requestId) {
        return parked(requestId).map(seal::seal);
    }

    private Optional<Versioned<JournalEntry>> parked(String requestId) {
        return journal.readOfRequest(requestId).filter(found -> found.value().state() == State.PARKED);
    }

    /**
     * Abandons a rename if it is parked.
     *
     * @param by the name of the caller, for the message of the outcome
     * @throws NoAnswerException if the result is not known; the caller may try again
     */
    public Answer abandon(String requestId, String by) {
        return retryUntilAnswered(requestId, () -> {
            Optional<Unmoved> left = seal(requestId);
            return left.isPresent() ? end(left.get(), by) : answer(requestId);
        });
    }

    /** Ends a rename whose documents were sealed. Throws if the rename was continued since then. */
    public Answer end(Unmoved left, String by) {
        return new Answer.Abandoned(
                write(JournalStep.ABANDON, abandoned(left, by), left.seen().version()));
    }

    /** Returns the answer for a rename that is not parked. */
    private Answer answer(String requestId) {
        Optional<Versioned<JournalEntry>> found = journal.readOfRequest(requestId);
        if (found.isEmpty()) {
            return new Answer.NoEntry();
        }
        JournalEntry entry = found.get().value();
        return isAbandoned(entry)
                ? new Answer.Abandoned(
                        write(JournalStep.NO_OP, entry.withNoOp(), found.get().version()))
                : new Answer.NotParked(entry);
    }

    private boolean isAbandoned(JournalEntry entry) {
        return entry.ended()
                .filter(ending -> OutcomeCodec.decode(ending.outcome()).status() == Status.ABANDONED)
                .isPresent();
    }

    private JournalEntry abandoned(Unmoved left, String by) {
        JournalEntry parked = left.seen().value();
        JournalEntry mine = parked.takenOver(Ownership.ABANDONER + parked.requestId());
        Progress progress = parked.progress();
        Outcome outcome = new Outcome(
                parked.requestId(),
                Status.ABANDONED,
                Reason.PARKED,
                "abandoned by " + by + "; " + left.inWords() + "; the rename was parked: " + parked.parking(),
                progress.moved(),
                left.documents(),
                mine.ownership().processId(),
                mine.isRolledForward(),
                parked.requestedBy(),
                parked.requestedAt(),
                parked.decided().map(Decision::committedAt).orElse(null),
                time.now(),
                Outcome.Paths.of(parked.request()));
        Ending ending = new Ending(outcome.finishedAt(), OutcomeCodec.encode(outcome));
        return mine.done(ending, progress.moved(), progress.passes());
    }

    /** Writes an entry. Throws if the entry has changed since it was read. In this case, the caller tries again. */
    private JournalEntry write(JournalStep step, JournalEntry entry, Version seen) {
        if (journal.write(step, entry, seen) instanceof WriteResult.Written) {
            return entry;
        }
        throw new NoAnswerException(
                "the journal entry of request " + entry.requestId() + " has changed since it was read; try again",
                null);
    }

    private <T> T retryUntilAnswered(String requestId, Supplier<T> operation) {
        Backoff backoff = pauses.begin("the abandonment of request " + requestId);
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
