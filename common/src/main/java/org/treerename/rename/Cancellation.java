package org.treerename.rename;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Cancels renames that are not decided, on behalf of somebody who is no process: without a heartbeat, and without a hold. Any
 * thread may call it.
 *
 * <ol>
 *   <li>read the entry: if we die here, nothing has changed;
 *   <li>where it is PREPARED or RETRY, write it conditionally as CANCELLED, with the outcome's text, and with an owner that no
 *       process ever is: if we die here, or get no answer, it stands so or it does not, and who cancels again is told;
 *   <li>the locks, the outcome and CLOSED are left to whoever finds it so, and takes it over by a write of its own: the worker
 *       that carried it, whose next write is refused, one that the request is delivered to, or a janitor, for its owner is not
 *       live. If that one dies, the next janitor takes it over like any rename that has ended.
 * </ol>
 *
 * <p>The commit is a conditional write of the same entry, so of a cancellation and a commit that begin from the same version
 * one is refused. An attempt that was under way is void: its entry was refused, and its locks count for nobody.
 *
 * <p>What is told follows an acknowledged write, also where that is but a touch: a read may show a commit that nobody
 * acknowledges, and that is followed by another attempt.
 */
public final class Cancellation {

    /** What became of it. */
    public sealed interface Answer {

        /** It is cancelled, now or before, and has had no effect; the entry has its outcome. */
        record Cancelled(JournalEntry entry) implements Answer {}

        /** It was decided before: it will be finished, or its outcome stands. */
        record AlreadyDecided(JournalEntry entry) implements Answer {}

        /** There is none: nobody has begun it yet, or it is forgotten. */
        record NoEntry() implements Answer {}

        /** It is the hold of a writer. */
        record NoRename() implements Answer {}
    }

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    /** Which may take about a second, and what the answers take. */
    static final int MOST_TRIES = 8;

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

    /** Whether it is as the cancellation has left it: its owner is no process, and nobody has taken it over yet. */
    static boolean hasLeft(JournalEntry entry) {
        return entry.state() == State.CANCELLED && entry.ownership().processId().equals(OWNER + entry.requestId());
    }

    /**
     * Cancels a rename, if it is not decided.
     *
     * @param by who cancels it, in words that the outcome tells
     * @throws NoAnswerException if it is not known whether it is cancelled; it may be asked again
     */
    public Answer cancel(String requestId, String by) {
        return retryUntilAnswered("the cancellation of " + requestId, () -> judge(requestId, by));
    }

    /**
     * The entry of a request; where it is decided, as an acknowledged write shows it, so that one may act upon it. Empty where
     * there is none.
     *
     * @throws NoAnswerException if it is not known; it may be asked again
     */
    public Optional<JournalEntry> look(String requestId) {
        return retryUntilAnswered(
                "the entry of " + requestId,
                () -> journal.readOfRequest(requestId)
                        .map(found -> isUndecided(found.value()) ? found.value() : touched(found)));
    }

    private static boolean isUndecided(JournalEntry entry) {
        return switch (entry.state()) {
            case PREPARED, RETRY, HELD -> true;
            case MOVING, PARKED, DONE, REJECTED, FAILED, CANCELLED, CLOSED -> false;
        };
    }

    private Answer judge(String requestId, String by) {
        Optional<Versioned<JournalEntry>> read = journal.readOfRequest(requestId);
        if (read.isEmpty()) {
            return new Answer.NoEntry();
        }
        Versioned<JournalEntry> found = read.get();
        if (found.value().writeTarget() != null) {
            return new Answer.NoRename();
        }
        return isUndecided(found.value())
                ? new Answer.Cancelled(written(cancelled(found.value(), by), found.version()))
                : decided(touched(found));
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
            log.warn("an outcome of a later version is not looked at: {}", e.getMessage());
            return false;
        }
    }

    private JournalEntry cancelled(JournalEntry entry, String by) {
        JournalEntry left = entry.takenOver(OWNER + entry.requestId());
        Outcome outcome = new Outcome(
                entry.requestId(),
                Status.CANCELLED,
                null,
                "cancelled by " + by + " before it was decided",
                0,
                0,
                left.ownership().processId(),
                false,
                entry.requestedBy(),
                entry.requestedAt(),
                null,
                time.now());
        return left.ended(State.CANCELLED, new JournalEntry.Ending(outcome.finishedAt(), codec.encode(outcome)));
    }

    private JournalEntry touched(Versioned<JournalEntry> found) {
        return written(found.value().touched(), found.version());
    }

    /** What was refused has changed since it was read, and is read again. */
    private JournalEntry written(JournalEntry entry, Version seen) {
        if (journal.write(entry, seen) instanceof WriteResult.Written) {
            return entry;
        }
        throw new NoAnswerException("the entry of " + entry.requestId() + " is not as it was read", null);
    }

    private <T> T retryUntilAnswered(String what, Supplier<T> question) {
        Backoff backoff = pauses.begin(what);
        while (true) {
            try {
                return question.get();
            } catch (NoAnswerException e) {
                if (backoff.tries() + 1 == MOST_TRIES) {
                    throw e;
                }
                backoff.pause();
            }
        }
    }
}
