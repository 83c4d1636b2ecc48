package org.treerename.rename;

import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.Release;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Removes what can never count again from lock documents, among it what a delayed request of the dead has created: holds
 * whose entry is final, given back, or names another hold id, and claims whose entry is final, given back, or missing. One
 * thread calls it.
 *
 * <ol>
 *   <li>touch the entry conditionally, so that what was read of it is true now; where there is none, create one that is
 *       given back: if we die here, nothing was removed;
 *   <li>remove the hold by its id, the claim by its request: if we die before it, the next sweep finds it.
 * </ol>
 */
public final class Sweep {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    private final Stores stores;
    private final Carrier carrier;

    public Sweep(Stores stores, Carrier carrier) {
        this.stores = stores;
        this.carrier = carrier;
    }

    /** One look at every lock document; how many holds and claims it removed. */
    public int sweep() {
        int removed = 0;
        for (LockDocument lock : stores.locks().all()) {
            try {
                removed += sweep(lock);
            } catch (NoAnswerException e) {
                log.warn("{} is swept next time: {}", lock.path(), e.getMessage());
            }
        }
        return removed;
    }

    private int sweep(LockDocument lock) {
        int removed = 0;
        for (LockDocument.Held held : lock.holds().values()) {
            if (isDead(held.hold())) {
                log.warn(
                        "sweeping hold {} of request {} off {}",
                        held.hold().holdId(),
                        held.hold().requestId(),
                        lock.path());
                stores.locks().release(lock.alone(), Release.ofHold(held.hold().holdId()));
                removed++;
            }
        }
        for (String requestId : lock.claims().keySet()) {
            if (isOver(requestId)) {
                log.warn("sweeping the claim of request {} off {}", requestId, lock.path());
                stores.locks().release(lock.alone(), Release.ofRequest(requestId, Set.of()));
                removed++;
            }
        }
        return removed;
    }

    private boolean isDead(Hold hold) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(hold.requestId());
        if (found.isEmpty()) {
            JournalEntry placeholder = JournalEntry.placeholder(
                    hold.requestId(), carrier.processId(), carrier.time().now());
            return stores.journal().create(placeholder) instanceof WriteResult.Written;
        }
        JournalEntry entry = found.get().value();
        boolean counts = entry.state().mayHold()
                && hold.holdId().equals(entry.ownership().holdId());
        return !counts && touch(found.get());
    }

    private boolean isOver(String requestId) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(requestId);
        if (found.isEmpty()) {
            return true;
        }
        State state = found.get().value().state();
        return (state.isFinal() || state == State.RETRY) && touch(found.get());
    }

    private boolean touch(Versioned<JournalEntry> found) {
        return stores.journal().write(found.value().touched(), found.version()) instanceof WriteResult.Written;
    }
}
