package org.treerename.rename;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.LockBooks;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.LockTable.Held;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Removes dead holds that block a rename or a writer. A hold is dead for ever if its entry is in a final state, is in
 * RETRY, or names another hold id. A dead hold is created if an attempt arrives at Elasticsearch after the process has
 * released the hold of this attempt. The attempt may belong to the blocked rename itself.
 *
 * <ol>
 *   <li>Confirm by a conditional no-op write that the hold's entry has not changed since it was read. If the process
 *       dies here, nothing has changed.
 *   <li>Remove the hold by its id.
 * </ol>
 */
final class DeadHolds {

    private static final Logger log = LoggerFactory.getLogger(DeadHolds.class);

    private final LockBooks stores;
    private final LockSet locks;

    DeadHolds(LockBooks stores, LockSet locks) {
        this.stores = stores;
        this.locks = locks;
    }

    /**
     * Removes the dead holds among the blockers. If the entry of a hold cannot be read, the hold remains until the next
     * check.
     */
    void removeFrom(List<Blocker> blockers) {
        Map<String, Versioned<JournalEntry>> entries = new HashMap<>();
        List<Hold> holds = blockers.stream()
                .flatMap(blocker -> blocker.held().stream())
                .map(Held::hold)
                .toList();
        List<String> requestIds = holds.stream().map(Hold::requestId).distinct().toList();
        try {
            stores.journal()
                    .read(requestIds)
                    .forEach(found -> entries.put(found.value().requestId(), found));
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "cannot read the journal entries of requests {}: {}; removing no dead hold until the next"
                                    + " check",
                            requestIds,
                            e.getMessage());
        }
        for (Hold hold : holds) {
            removeIfDead(hold, entries.get(hold.requestId()));
        }
    }

    private void removeIfDead(Hold hold, @Nullable Versioned<JournalEntry> found) {
        if (found == null || found.value().mayHold(hold)) {
            return;
        }
        try {
            confirmAndRelease(hold, found);
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "cannot confirm or remove the dead hold {} of request {}: {}; trying again at the next check",
                            hold.holdId(),
                            hold.requestId(),
                            e.getMessage());
        }
    }

    private void confirmAndRelease(Hold hold, Versioned<JournalEntry> found) {
        JournalEntry withNoOp = found.value().withNoOp();
        if (stores.journal().write(JournalStep.NO_OP, withNoOp, found.version()) instanceof WriteResult.Written) {
            log.info("removing dead hold {} of request {}", hold.holdId(), hold.requestId());
            stores.locks().release(locks, Release.ofHold(hold.holdId()));
        }
    }
}
