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
 * Removes holds and claims from lock tables that can never count again. Delayed requests of dead processes may have created some of them. A
 * hold is dead if its entry is final, RETRY or missing, or names another hold id. A claim is dead if its entry is final, RETRY or missing.
 * One thread calls it.
 *
 * <ol>
 *   <li>Confirm the entry by a conditional no-op write, so that the last read is still true. If there is no entry, create an entry in RETRY.
 *       If we die here, nothing was removed.
 *   <li>Remove the hold by its id, or the claim by its request. If we die before it, the next sweep finds it.
 * </ol>
 */
public final class Sweep {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    /** The maximum number of tables that one request changes. */
    private static final int MOST_TABLES = 1_000;

    private final Stores stores;
    private final ProcessContext context;

    public Sweep(Stores stores, ProcessContext context) {
        this.stores = stores;
        this.context = context;
    }

    /** Checks every lock table once. Returns the number of holds and claims that it removed. */
    public int sweep() {
        Round round = new Round();
        stores.locks().each(round::check);
        round.removeTheRest();
        return round.removed;
    }

    /**
     * A hold or a claim that does not count any more, as an acknowledged write of its request's entry has confirmed.
     *
     * @param entry the state of the entry, or "missing"
     * @param isBeingReleased whether a process is about to release the locks of this request
     */
    private record Dead(String entry, boolean isBeingReleased) {}

    /**
     * One check of every lock table. If a hold is in many tables, its entry is read once. A hold that counts stays in all of them until the next
     * sweep. A dead hold never counts again.
     */
    private final class Round {
        private final Map<String, Optional<Dead>> holds = new HashMap<>();
        private final Map<Hold, List<LockTable.Id>> rest = new LinkedHashMap<>();
        private int waiting;
        private int removed;

        void check(LockTable table) {
            try {
                table.holds()
                        .values()
                        .forEach(held -> unlessRefused(table.id(), () -> checkHold(held.hold(), table.id())));
                table.claims().keySet().forEach(id -> unlessRefused(table.id(), () -> checkClaim(id, table.id())));
            } catch (NoAnswerException e) {
                log.warn("sweep of {} failed: {}; the next sweep repeats it", table.id(), e.getMessage());
            }
        }

        /** Runs one check. An entry that cannot be read protects only its own hold and claim. */
        private void unlessRefused(LockTable.Id table, Runnable check) {
            try {
                check.run();
            } catch (RefusedException e) {
                log.error(
                        "sweep: a hold or a claim in {} cannot be checked or removed: {}; it stays in the table",
                        table,
                        e.getMessage());
            }
        }

        private void checkHold(Hold hold, LockTable.Id table) {
            boolean isKnown = holds.containsKey(hold.holdId());
            holds.computeIfAbsent(hold.holdId(), id -> dead(hold.requestId(), entry -> !entry.mayHold(hold)))
                    .ifPresent(dead -> {
                        if (isKnown) {
                            removeLater(hold, table);
                        } else {
                            logRemoval("hold " + hold.holdId(), hold.requestId(), table, dead);
                            stores.locks().release(List.of(table), Release.ofHold(hold.holdId()));
                            removed++;
                        }
                    });
        }

        /** Adds a table to those that are changed together. A dead hold may be in very many tables of documents. */
        private void removeLater(Hold hold, LockTable.Id table) {
            rest.computeIfAbsent(hold, h -> new ArrayList<>()).add(table);
            waiting++;
            if (waiting == MOST_TABLES) {
                removeTheRest();
            }
        }

        void removeTheRest() {
            rest.forEach(this::remove);
            rest.clear();
            waiting = 0;
        }

        /** Removes a hold from tables. If the request for all tables is refused, each table is tried alone. */
        private void remove(Hold hold, List<LockTable.Id> tables) {
            Object where = tables.size() == 1 ? tables.getFirst() : tables.size() + " more lock tables";
            try {
                holds.getOrDefault(hold.holdId(), Optional.empty())
                        .ifPresent(dead -> logRemoval("hold " + hold.holdId(), hold.requestId(), where, dead));
                stores.locks().release(tables, Release.ofHold(hold.holdId()));
                removed += tables.size();
            } catch (NoAnswerException e) {
                log.warn("sweep of {} failed: {}; the next sweep repeats it", where, e.getMessage());
            } catch (RefusedException e) {
                if (tables.size() == 1) {
                    log.error("sweep of {} was refused: {}; the hold stays in the table", where, e.getMessage());
                } else {
                    tables.forEach(table -> remove(hold, List.of(table)));
                }
            }
        }

        private void checkClaim(String requestId, LockTable.Id table) {
            dead(requestId, entry -> !entry.mayClaim()).ifPresent(dead -> {
                logRemoval("the claim", requestId, table, dead);
                stores.locks().release(List.of(table), Release.ofRequest(requestId, Set.of()));
                removed++;
            });
        }
    }

    /** Returns empty if the hold or claim may count, or if the entry changed between the read and the write. */
    private Optional<Dead> dead(String requestId, Predicate<JournalEntry> isDead) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(requestId);
        if (found.isPresent() && !isDead.test(found.get().value())) {
            return Optional.empty();
        }
        WriteResult result = found.isPresent()
                ? stores.journal()
                        .write(found.get().value().withNoOp(), found.get().version())
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
            log.debug(
                    "sweep: removing {} of request {} from {}: its entry is {}", what, requestId, where, dead.entry());
        } else {
            log.warn("sweep: removing {} of request {} from {}: its entry is {}", what, requestId, where, dead.entry());
        }
    }

    /** Returns whether the owner of the entry, or a process that takes the entry over, is about to release the locks. */
    private static boolean isBeingReleased(JournalEntry entry) {
        return entry.state().isFinal() && entry.state().needsOwner();
    }

    private JournalEntry placeholder(String requestId) {
        return JournalEntry.placeholder(
                requestId, context.processId(), context.time().now());
    }
}
