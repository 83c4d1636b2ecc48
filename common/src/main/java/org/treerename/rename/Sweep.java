package org.treerename.rename;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.lock.Hold;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Removes what can never count again from lock tables, among it what a delayed request of the dead has created: holds
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

    /** Tables that are changed by one request, at most. */
    private static final int TOGETHER = 1_000;

    private final Stores stores;
    private final ProcessContext context;

    public Sweep(Stores stores, ProcessContext context) {
        this.stores = stores;
        this.context = context;
    }

    /** Looks at every lock table once. Returns how many holds and claims it removed. */
    public int sweep() {
        Look look = new Look();
        stores.locks().each(look::at);
        look.removeTheRest();
        return look.removed;
    }

    /** Why something does not count any more; an acknowledged write of its request's entry says so. */
    private record Dead(String entry, boolean isBeingReleased) {}

    /**
     * One look at every lock table. If a hold is in many tables, its entry is read once: a hold that counts is left in all of them
     * until the next sweep, and a dead one never counts again.
     */
    private final class Look {
        private final Map<String, Optional<Dead>> holds = new HashMap<>();
        private final Map<Hold, List<LockTable.Id>> rest = new LinkedHashMap<>();
        private int waiting;
        private int removed;

        void at(LockTable table) {
            try {
                table.holds().values().forEach(held -> unlessRefused(table.id(), () -> at(held.hold(), table.id())));
                table.claims().keySet().forEach(id -> unlessRefused(table.id(), () -> at(id, table.id())));
            } catch (NoAnswerException e) {
                log.warn("{} is swept next time: {}", table.id(), e.getMessage());
            }
        }

        /** An entry that cannot be read protects only its own hold and claim. */
        private void unlessRefused(LockTable.Id table, Runnable one) {
            try {
                one.run();
            } catch (RefusedException e) {
                log.error("a hold or a claim in {} cannot be swept: {}", table, e.getMessage());
            }
        }

        private void at(Hold hold, LockTable.Id table) {
            boolean isKnown = holds.containsKey(hold.holdId());
            holds.computeIfAbsent(hold.holdId(), id -> dead(hold.requestId(), entry -> !entry.mayHold(hold)))
                    .ifPresent(dead -> {
                        if (isKnown) {
                            later(hold, table);
                        } else {
                            logRemoval("hold " + hold.holdId(), hold.requestId(), table, dead);
                            stores.locks().release(List.of(table), Release.ofHold(hold.holdId()));
                            removed++;
                        }
                    });
        }

        /** A dead hold may be in very many tables of documents; these are changed together. */
        private void later(Hold hold, LockTable.Id table) {
            rest.computeIfAbsent(hold, h -> new ArrayList<>()).add(table);
            waiting++;
            if (waiting == TOGETHER) {
                removeTheRest();
            }
        }

        void removeTheRest() {
            rest.forEach(this::remove);
            rest.clear();
            waiting = 0;
        }

        /** If the request for all is refused, each table is tried alone. */
        private void remove(Hold hold, List<LockTable.Id> tables) {
            Object where = tables.size() == 1 ? tables.getFirst() : tables.size() + " more lock tables";
            try {
                holds.getOrDefault(hold.holdId(), Optional.empty())
                        .ifPresent(dead -> logRemoval("hold " + hold.holdId(), hold.requestId(), where, dead));
                stores.locks().release(tables, Release.ofHold(hold.holdId()));
                removed += tables.size();
            } catch (NoAnswerException e) {
                log.warn("{} are swept next time: {}", where, e.getMessage());
            } catch (RefusedException e) {
                if (tables.size() == 1) {
                    log.error("{} cannot be swept: {}", where, e.getMessage());
                } else {
                    tables.forEach(table -> remove(hold, List.of(table)));
                }
            }
        }

        private void at(String requestId, LockTable.Id table) {
            dead(requestId, entry -> !entry.mayClaim()).ifPresent(dead -> {
                logRemoval("the claim", requestId, table, dead);
                stores.locks().release(List.of(table), Release.ofRequest(requestId, Set.of()));
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

    private static void logRemoval(String what, String requestId, Object where, Dead dead) {
        if (dead.isBeingReleased()) {
            log.debug("removing {} of request {} from {}: its entry is {}", what, requestId, where, dead.entry());
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
                requestId, context.processId(), context.time().now());
    }
}
