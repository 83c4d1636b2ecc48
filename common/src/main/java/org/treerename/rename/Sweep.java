package org.treerename.rename;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.Release;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Removes what can never count again from lock documents, among it what a delayed request of the dead has created: holds
 * whose entry is final, given back, missing, or names another hold id, and claims whose entry is final, given back, or
 * missing. One thread calls it.
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
            } catch (RefusedException e) {
                log.error("{} in {} cannot be swept: {}", lock.path(), lock.namespace(), e.getMessage());
            }
        }
        return removed;
    }

    private int sweep(LockDocument lock) {
        int removed = 0;
        for (LockDocument.Held held : lock.holds().values()) {
            Hold hold = held.hold();
            if (isSwept(hold.requestId(), entry -> !counts(hold, entry), "hold " + hold.holdId(), lock)) {
                stores.locks().release(lock.alone(), Release.ofHold(hold.holdId()));
                removed++;
            }
        }
        for (String requestId : lock.claims().keySet()) {
            if (isSwept(requestId, Sweep::isOver, "the claim", lock)) {
                stores.locks().release(lock.alone(), Release.ofRequest(requestId, Set.of()));
                removed++;
            }
        }
        return removed;
    }

    private static boolean counts(Hold hold, JournalEntry entry) {
        return entry.state().mayHold() && hold.holdId().equals(entry.ownership().holdId());
    }

    private static boolean isOver(JournalEntry entry) {
        return entry.state().isFinal() || entry.state() == State.RETRY;
    }

    /** Whether it is dead, and an acknowledged write of its request's entry says so. */
    private boolean isSwept(String requestId, Predicate<JournalEntry> isDead, String what, LockDocument lock) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(requestId);
        if (found.isPresent() && !isDead.test(found.get().value())) {
            return false;
        }
        WriteResult result = found.isPresent()
                ? stores.journal()
                        .write(found.get().value().touched(), found.get().version())
                : stores.journal().create(placeholder(requestId));
        if (result instanceof WriteResult.Conflict) {
            return false;
        }
        String state = found.map(f -> f.value().state().toString()).orElse("missing");
        if (found.isPresent() && isBeingReleased(found.get().value())) {
            log.debug("{} of request {} on {} goes: its entry is {}", what, requestId, lock.path(), state);
        } else {
            log.warn("sweeping {} of request {} off {}: its entry is {}", what, requestId, lock.path(), state);
        }
        return true;
    }

    /** Its process is about to give back what it held, or another one in its place. */
    private static boolean isBeingReleased(JournalEntry entry) {
        return entry.state().isFinal() && entry.state().needsOwner();
    }

    private JournalEntry placeholder(String requestId) {
        return JournalEntry.placeholder(
                requestId, carrier.processId(), carrier.time().now());
    }
}
