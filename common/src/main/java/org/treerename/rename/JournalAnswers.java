package org.treerename.rename;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.State;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Answers a delivery from the entry that its request already has. A read may be stale, so every answer follows an
 * acknowledged write. Any thread may call this class.
 */
final class JournalAnswers {

    private static final Logger log = LoggerFactory.getLogger(JournalAnswers.class);

    private final Stores stores;
    private final ProcessContext context;
    private final Completion completion;

    JournalAnswers(Stores stores, ProcessContext context, Completion completion) {
        this.stores = stores;
        this.context = context;
        this.completion = completion;
    }

    /**
     * Returns the given answer if the entry has not changed since it was read; empty if the caller must read the entry
     * again.
     */
    Optional<Answer> ifConfirmed(Delivery delivery, Versioned<JournalEntry> found, Answer answer) {
        return isConfirmed(delivery, found) ? Optional.of(answer) : Optional.empty();
    }

    /**
     * Confirms by an acknowledged no-op write that the entry has not changed since it was read. Without this
     * confirmation, the caller must not commit the offset, because a read may be stale. The write also stores the time
     * of the delivered record. So a janitor deletes the entry only if the watermark is after this time. A placeholder
     * ({@link JournalEntry#isPlaceholder}) remains a placeholder. Only a request that also acquires the locks may
     * replace a placeholder.
     */
    private boolean isConfirmed(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value();
        JournalEntry confirmation = (entry.isPlaceholder() ? entry : entry.deliveredBy(delivery)).withNoOp();
        return context.retryUntilAnswered(
                "the no-op write of the journal entry of request " + confirmation.requestId(),
                () -> stores.journal().write(JournalStep.NO_OP, confirmation, found.version())
                        instanceof WriteResult.Written);
    }

    /**
     * Answers a delivery from the ended entry of its request. Publishes the outcome only after an acknowledged write,
     * because the read may come from a cut-off shard copy, whose writes are never acknowledged. Returns empty if the
     * caller must read the entry again.
     */
    Optional<Answer> ofEnded(Delivery delivery, Versioned<JournalEntry> found) {
        JournalEntry entry = found.value().deliveredBy(delivery);
        if (isToBeClosedHere(entry)) {
            Optional<OwnEntry> own = takeOverEnded(entry, found.version());
            if (own.isEmpty()) {
                return Optional.empty();
            }
            Completion.Ended ended = completion.releaseAndClose(own.get(), completion.locksOf(entry));
            return ended instanceof Completion.Ended.Published published
                    ? Optional.of(new Answer.Published(published.outcome()))
                    : Optional.empty();
        }
        if (!isConfirmed(delivery, found)) {
            return Optional.empty();
        }
        String outcome = entry.ended().orElseThrow().outcome();
        completion.publish(entry, outcome);
        log.debug("request {}: delivered again; answered from the journal", entry.requestId());
        return Optional.of(new Answer.Published(outcome));
    }

    /**
     * Returns whether this process must close the entry: either the process ended the entry itself, or the entry was
     * cancelled or abandoned and no process owns it yet.
     */
    private boolean isToBeClosedHere(JournalEntry entry) {
        boolean isMine = entry.ownership().processId().equals(context.processId());
        return entry.state() != State.CLOSED && (isMine || isOfNoProcess(entry));
    }

    private static boolean isOfNoProcess(JournalEntry entry) {
        return entry.ownership().isOfNoProcess(entry.requestId());
    }

    /**
     * Makes this process the owner of a cancelled or abandoned entry, by one conditional write. If this process already owns the
     * ended entry, the write confirms the ownership. Returns empty if the entry has changed.
     */
    private Optional<OwnEntry> takeOverEnded(JournalEntry ended, Version seen) {
        boolean isUnowned = isOfNoProcess(ended);
        JournalEntry mine = isUnowned ? ended.takenOver(context.processId()) : ended.withNoOp();
        JournalStep step = isUnowned ? JournalStep.TAKE_OVER : JournalStep.NO_OP;
        WriteResult result = context.retryUntilAnswered(
                "the take-over of request " + mine.requestId(),
                () -> stores.journal().write(step, mine, seen));
        return result instanceof WriteResult.Written written
                ? Optional.of(new OwnEntry(stores.journal(), context, new Versioned<>(mine, written.version())))
                : Optional.empty();
    }
}
