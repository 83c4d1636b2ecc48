package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument.Blocker;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Holds that can never count again, met by a rename or a writer that they refuse: their entry is final or given back, or
 * names another hold id. A late item of an attempt that was given back leaves such a hold, also one of the refused rename itself.
 *
 * <ol>
 *   <li>touch the hold's entry conditionally, so that what was read of it is true now: if we die here, nothing has changed;
 *   <li>remove the hold by its id.
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

    /** Removes those of the blockers that are dead; what gets no answer is left to the next attempt. */
    void removeFrom(List<Blocker> blockers) {
        for (Blocker blocker : blockers) {
            try {
                blocker.held().ifPresent(held -> removeIfDead(held.hold()));
            } catch (NoAnswerException e) {
                log.atLevel(Carrier.levelOf(e)).log("whether {} is dead is not known: {}", blocker, e.getMessage());
            }
        }
    }

    private void removeIfDead(Hold hold) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(hold.requestId());
        if (found.isEmpty() || found.get().value().mayHold(hold)) {
            return;
        }
        JournalEntry touched = found.get().value().touched();
        if (stores.journal().write(touched, found.get().version()) instanceof WriteResult.Written) {
            log.info("removing dead hold {} of request {}", hold.holdId(), hold.requestId());
            stores.locks().release(locks, Release.ofHold(hold.holdId()));
        }
    }
}
