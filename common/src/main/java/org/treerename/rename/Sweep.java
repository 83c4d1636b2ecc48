package org.treerename.rename;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.path.Path;
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

    /** Lock documents that are changed by one request, at most. */
    private static final int TOGETHER = 1_000;

    private final Stores stores;
    private final Carrier carrier;

    public Sweep(Stores stores, Carrier carrier) {
        this.stores = stores;
        this.carrier = carrier;
    }

    /** One look at every lock document; how many holds and claims it removed. */
    public int sweep() {
        Look look = new Look();
        stores.locks().each(look::at);
        look.removeTheRest();
        return look.removed;
    }

    /** Why something counts no more; an acknowledged write of its request's entry says so. */
    private record Dead(String entry, boolean isBeingReleased) {}

    /**
     * One look at every lock document. Of a hold that stands in many it asks once: one that counts is left, wherever it
     * stands, until the next sweep, and one that is dead never counts again.
     */
    private final class Look {
        private final Map<String, Optional<Dead>> holds = new HashMap<>();
        private final Map<Hold, List<LockDocument>> rest = new LinkedHashMap<>();
        private int waiting;
        private int removed;

        void at(LockDocument lock) {
            try {
                lock.holds().values().forEach(held -> at(held.hold(), lock));
                lock.claims().keySet().forEach(requestId -> at(requestId, lock));
            } catch (NoAnswerException e) {
                log.warn("{} is swept next time: {}", lock.path(), e.getMessage());
            } catch (RefusedException e) {
                log.error("{} in {} cannot be swept: {}", lock.path(), lock.namespace(), e.getMessage());
            }
        }

        private void at(Hold hold, LockDocument lock) {
            boolean isKnown = holds.containsKey(hold.holdId());
            holds.computeIfAbsent(hold.holdId(), id -> dead(hold.requestId(), entry -> !entry.mayHold(hold)))
                    .ifPresent(dead -> {
                        if (isKnown) {
                            later(hold, lock);
                        } else {
                            tell("hold " + hold.holdId(), hold.requestId(), lock.path(), dead);
                            stores.locks().release(lock.alone(), Release.ofHold(hold.holdId()));
                            removed++;
                        }
                    });
        }

        /** A hold that was found dead may stand in very many; those are changed together. */
        private void later(Hold hold, LockDocument lock) {
            rest.computeIfAbsent(hold, h -> new ArrayList<>()).add(lock);
            waiting++;
            if (waiting == TOGETHER) {
                removeTheRest();
            }
        }

        void removeTheRest() {
            rest.forEach((hold, locks) -> locks.stream()
                    .collect(Collectors.groupingBy(LockDocument::namespace))
                    .values()
                    .forEach(together -> remove(hold, together)));
            rest.clear();
            waiting = 0;
        }

        /** Where they are refused together, each is tried alone. */
        private void remove(Hold hold, List<LockDocument> locks) {
            SortedMap<Path, LockMode> modes = new TreeMap<>();
            locks.forEach(lock -> modes.putAll(lock.alone().modes()));
            LockSet together = new LockSet(locks.getFirst().namespace(), modes);
            Object where = locks.size() == 1 ? locks.getFirst().path() : locks.size() + " more lock documents";
            try {
                holds.getOrDefault(hold.holdId(), Optional.empty())
                        .ifPresent(dead -> tell("hold " + hold.holdId(), hold.requestId(), where, dead));
                stores.locks().release(together, Release.ofHold(hold.holdId()));
                removed += locks.size();
            } catch (NoAnswerException e) {
                log.warn("{} are swept next time: {}", where, e.getMessage());
            } catch (RefusedException e) {
                if (locks.size() == 1) {
                    log.error("{} in {} cannot be swept: {}", where, together.namespace(), e.getMessage());
                } else {
                    locks.forEach(lock -> remove(hold, List.of(lock)));
                }
            }
        }

        private void at(String requestId, LockDocument lock) {
            dead(requestId, entry -> !entry.mayClaim()).ifPresent(dead -> {
                tell("the claim", requestId, lock.path(), dead);
                stores.locks().release(lock.alone(), Release.ofRequest(requestId, Set.of()));
                removed++;
            });
        }
    }

    /** Empty where it may count, or where that changed between the read and the write. */
    private Optional<Dead> dead(String requestId, Predicate<JournalEntry> isDead) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(requestId);
        if (found.isPresent() && !isDead.test(found.get().value())) {
            return Optional.empty();
        }
        WriteResult result = found.isPresent()
                ? stores.journal()
                        .write(found.get().value().touched(), found.get().version())
                : stores.journal().create(placeholder(requestId));
        if (result instanceof WriteResult.Conflict) {
            return Optional.empty();
        }
        return Optional.of(found.map(Versioned::value)
                .map(entry -> new Dead(entry.state().toString(), isBeingReleased(entry)))
                .orElseGet(() -> new Dead("missing", false)));
    }

    private static void tell(String what, String requestId, Object where, Dead dead) {
        if (dead.isBeingReleased()) {
            log.debug("{} of request {} on {} goes: its entry is {}", what, requestId, where, dead.entry());
        } else {
            log.warn("sweeping {} of request {} off {}: its entry is {}", what, requestId, where, dead.entry());
        }
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
