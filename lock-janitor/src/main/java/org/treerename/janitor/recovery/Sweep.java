package org.treerename.janitor.recovery;

import java.time.Instant;
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
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Stores;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Removes dead holds and dead claims from lock tables. Delayed requests of dead processes may have created some of
 * these holds and claims. A hold is dead if its journal entry is final, RETRY or missing, or names another hold id. A
 * claim is dead if its journal entry is final, RETRY or missing. Only one thread calls this class.
 *
 * <ol>
 *   <li>Confirm by a conditional no-op write that the entry has not changed since the read. If there is no entry,
 *       create an entry in RETRY with the time of the request. If the janitor dies here, nothing is removed.
 *   <li>Remove the hold by its hold id, or the claim by its request id. If the janitor dies before this step, the next
 *       sweep finds the hold or the claim.
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
     * A dead hold or a dead claim. An acknowledged write of the entry has confirmed that the hold or claim is dead.
     *
     * @param entry the state of the entry, or "missing"
     * @param isBeingReleased whether a process is about to release the locks of this request
     */
    private record Dead(String entry, boolean isBeingReleased) {}

    /**
     * One check of every lock table. If a hold is in many tables, the check reads the entry of the hold only once. A
     * valid hold remains in all its tables until the next sweep. A dead hold can never become valid again.
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
                table.claims()
                        .values()
                        .forEach(claim -> unlessRefused(table.id(), () -> checkClaim(claim.age(), table.id())));
            } catch (NoAnswerException e) {
                log.warn("sweep of {} failed: {}; the next sweep tries again", table.id(), e.getMessage());
            }
        }

        /**
         * Runs the check of one hold or claim. If Elasticsearch refuses a request of this check, the hold or claim
         * remains in the table, and the sweep continues with the next check.
         */
        private void unlessRefused(LockTable.Id table, Runnable check) {
            try {
                check.run();
            } catch (RefusedException e) {
                log.error(
                        "sweep: cannot check or remove a hold or a claim in {}: {}; the hold or claim remains in the"
                                + " table",
                        table,
                        e.getMessage());
            }
        }

        private void checkHold(Hold hold, LockTable.Id table) {
            boolean isKnown = holds.containsKey(hold.holdId());
            holds.computeIfAbsent(hold.holdId(), id -> dead(hold.age(), entry -> !entry.mayHold(hold)))
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

        /**
         * Adds a table to the tables that the next request changes. A dead hold may be in very many document tables, so
         * one request changes many tables.
         */
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

        /**
         * Removes a hold from tables. If Elasticsearch refuses the request for all tables, the sweep sends one request
         * for each table.
         */
        private void remove(Hold hold, List<LockTable.Id> tables) {
            Object where = tables.size() == 1 ? tables.getFirst() : tables.size() + " more lock tables";
            try {
                holds.getOrDefault(hold.holdId(), Optional.empty())
                        .ifPresent(dead -> logRemoval("hold " + hold.holdId(), hold.requestId(), where, dead));
                stores.locks().release(tables, Release.ofHold(hold.holdId()));
                removed += tables.size();
            } catch (NoAnswerException e) {
                log.warn("sweep of {} failed: {}; the next sweep tries again", where, e.getMessage());
            } catch (RefusedException e) {
                if (tables.size() == 1) {
                    log.error(
                            "sweep: Elasticsearch refused the removal of hold {} from {}: {}; the hold remains",
                            hold.holdId(),
                            where,
                            e.getMessage());
                } else {
                    tables.forEach(table -> remove(hold, List.of(table)));
                }
            }
        }

        private void checkClaim(LockPriority age, LockTable.Id table) {
            String requestId = age.requestId();
            dead(age, entry -> !entry.mayClaim()).ifPresent(dead -> {
                logRemoval("claim", requestId, table, dead);
                stores.locks().release(List.of(table), Release.ofRequest(requestId, Set.of()));
                removed++;
            });
        }
    }

    /**
     * Confirms by an acknowledged write of the entry that a hold or a claim is dead. Returns empty if the hold or claim
     * may be valid, or if the entry changed between the read and the write.
     */
    private Optional<Dead> dead(LockPriority age, Predicate<JournalEntry> isDead) {
        Optional<Versioned<JournalEntry>> found = stores.journal().read(age.requestId());
        if (found.isPresent() && !isDead.test(found.get().value())) {
            return Optional.empty();
        }
        WriteResult result = found.isPresent()
                ? stores.journal()
                        .write(
                                JournalStep.NO_OP,
                                found.get().value().withNoOp(),
                                found.get().version())
                : stores.journal().create(JournalStep.PLACEHOLDER, placeholder(age));
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
                    "sweep: removing dead {} of request {} from {} (journal entry: {})",
                    what,
                    requestId,
                    where,
                    dead.entry());
        } else {
            log.warn(
                    "sweep: removing dead {} of request {} from {} (journal entry: {})",
                    what,
                    requestId,
                    where,
                    dead.entry());
        }
    }

    /**
     * Returns whether the owner of the entry, or a process that takes the entry over, is about to release the locks.
     */
    private static boolean isBeingReleased(JournalEntry entry) {
        return entry.state().isFinal() && entry.state().needsOwner();
    }

    /**
     * Returns a placeholder: an entry for a request that has no entry. It contains the time of the request, so the age
     * of the placeholder does not depend on the clock of this process.
     */
    private JournalEntry placeholder(LockPriority age) {
        return JournalEntry.placeholder(
                age.requestId(), context.processId(), Instant.ofEpochMilli(age.appendedAtMillis()));
    }
}
