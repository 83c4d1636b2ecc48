package org.treerename.janitor.recovery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Stores;
import org.treerename.store.DamagedException;
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
 *   <li>Read the tables, then the entries of their holds and claims, and then the tables with a dead hold or a dead
 *       claim once more. A process that ends a request releases its locks before it closes the entry. So these locks are
 *       not in the tables at the second read.
 *   <li>Confirm by a conditional no-op write that the entry has not changed since the read. If there is no entry,
 *       create an entry in RETRY with the time of the request. If the janitor dies here, nothing is removed.
 *   <li>Remove the hold by its hold id, or the claim by its request id. If the janitor dies before this step, the next
 *       sweep finds the hold or the claim.
 * </ol>
 */
public final class Sweep {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    /** The number of holds and claims whose entries one request reads. */
    static final int BATCH = 500;

    private final Stores stores;
    private final ProcessContext context;

    public Sweep(Stores stores, ProcessContext context) {
        this.stores = stores;
        this.context = context;
    }

    /** Checks every lock table once. Returns the number of holds and claims that it removed. */
    public int sweep() {
        Round round = new Round();
        stores.locks().each(round::add);
        round.checkAll();
        return round.removed;
    }

    /** A hold or a claim of a table. The hold is null for a claim. */
    private record Lock(
            LockTable.Id table, LockPriority age, @Nullable Hold hold) {

        boolean isIn(LockTable now) {
            return hold == null ? now.claims().containsKey(age.requestId()) : now.isHeldBy(hold.holdId());
        }

        boolean isDead(JournalEntry entry) {
            return hold == null ? !entry.mayClaim() : !entry.mayHold(hold);
        }

        Release release() {
            return hold == null ? Release.ofRequest(age.requestId(), Set.of()) : Release.ofHold(hold.holdId());
        }

        @Override
        public String toString() {
            return hold == null ? "claim" : "hold " + hold.holdId();
        }
    }

    /**
     * A dead hold or a dead claim. An acknowledged write of the entry has confirmed that the hold or claim is dead.
     *
     * @param entry the state of the entry, or "missing"
     * @param isExpected whether a live process may be about to remove the hold or the claim itself
     */
    private record Dead(String entry, boolean isExpected) {}

    /** One check of every lock table. */
    private final class Round {

        private final List<Lock> batch = new ArrayList<>();

        /**
         * The holds that a write of their entry has confirmed as dead, or could not confirm. A hold may be in very many
         * tables, and a dead hold can never become valid again.
         */
        private final Map<Release, Optional<Dead>> decided = new HashMap<>();

        private int removed;

        void add(LockTable table) {
            table.holds()
                    .values()
                    .forEach(held -> add(new Lock(table.id(), held.hold().age(), held.hold())));
            table.claims().values().forEach(claim -> add(new Lock(table.id(), claim.age(), null)));
        }

        private void add(Lock lock) {
            batch.add(lock);
            if (batch.size() == BATCH) {
                checkAll();
            }
        }

        void checkAll() {
            List<Lock> locks = List.copyOf(batch);
            batch.clear();
            if (locks.isEmpty() || context.stop().isRequested()) {
                return;
            }
            try {
                check(locks);
            } catch (NoAnswerException e) {
                log.warn("a part of the sweep failed: {}; the next sweep tries again", e.getMessage());
            }
        }

        private void check(List<Lock> locks) {
            Map<String, Optional<Versioned<JournalEntry>>> entries = read(locks.stream()
                    .filter(lock -> !decided.containsKey(lock.release()))
                    .map(lock -> lock.age().requestId())
                    .distinct()
                    .toList());
            Map<Release, List<Lock>> dead = new LinkedHashMap<>();
            leftOf(locks.stream().filter(lock -> mayBeDead(lock, entries)).toList())
                    .forEach(lock -> dead.computeIfAbsent(lock.release(), same -> new ArrayList<>())
                            .add(lock));
            dead.forEach((release, same) -> unlessRefused(same.getFirst(), () -> {
                Lock first = same.getFirst();
                Optional<Versioned<JournalEntry>> found =
                        entries.getOrDefault(first.age().requestId(), Optional.empty());
                Optional<Dead> confirmed = first.hold() == null
                        ? dead(first.age(), found)
                        : decided.computeIfAbsent(release, key -> dead(first.age(), found));
                confirmed.ifPresent(known -> remove(same, known));
            }));
        }

        private boolean mayBeDead(Lock lock, Map<String, Optional<Versioned<JournalEntry>>> entries) {
            if (decided.containsKey(lock.release())) {
                return true;
            }
            Optional<Versioned<JournalEntry>> found = entries.get(lock.age().requestId());
            return found != null && (found.isEmpty() || lock.isDead(found.get().value()));
        }

        /** Returns those of these holds and claims that are still in their tables. */
        private List<Lock> leftOf(List<Lock> locks) {
            List<LockTable.Id> ids = locks.stream().map(Lock::table).distinct().toList();
            Map<LockTable.Id, LockTable> now = new HashMap<>();
            if (!ids.isEmpty()) {
                stores.locks().read(ids).forEach(table -> now.put(table.id(), table));
            }
            return locks.stream()
                    .filter(lock -> lock.isIn(now.getOrDefault(lock.table(), LockTable.empty(lock.table()))))
                    .toList();
        }

        /**
         * Removes a hold or a claim from tables. If Elasticsearch refuses the request for all tables, the sweep sends
         * one request for each table.
         */
        private void remove(List<Lock> same, Dead dead) {
            log.atLevel(dead.isExpected() ? Level.DEBUG : Level.WARN)
                    .log(
                            "sweep: removing dead {} of request {} from {} (journal entry: {})",
                            same.getFirst(),
                            same.getFirst().age().requestId(),
                            same.size() == 1 ? same.getFirst().table() : same.size() + " lock tables",
                            dead.entry());
            try {
                stores.locks()
                        .release(
                                same.stream().map(Lock::table).toList(),
                                same.getFirst().release());
                removed += same.size();
            } catch (RefusedException e) {
                if (same.size() == 1) {
                    throw e;
                }
                same.forEach(lock -> unlessRefused(lock, () -> remove(List.of(lock), dead)));
            }
        }
    }

    /**
     * Reads the entries of requests, in one request if Elasticsearch does not refuse it. The result does not contain a
     * request whose entry cannot be read. The locks of such a request remain.
     */
    private Map<String, Optional<Versioned<JournalEntry>>> read(List<String> requestIds) {
        Map<String, Optional<Versioned<JournalEntry>>> found = new HashMap<>();
        if (requestIds.isEmpty()) {
            return found;
        }
        try {
            requestIds.forEach(id -> found.put(id, Optional.empty()));
            stores.journal()
                    .read(requestIds)
                    .forEach(entry -> found.put(entry.value().requestId(), Optional.of(entry)));
        } catch (RefusedException | DamagedException e) {
            found.clear();
            if (requestIds.size() == 1) {
                log.error(
                        "sweep: cannot read the journal entry of request {}: {}; its locks remain",
                        requestIds.getFirst(),
                        e.getMessage());
            } else {
                requestIds.forEach(id -> found.putAll(read(List.of(id))));
            }
        }
        return found;
    }

    /** Runs a step for one hold or claim. If Elasticsearch refuses the step, the hold or claim remains. */
    private static void unlessRefused(Lock lock, Runnable step) {
        try {
            step.run();
        } catch (RefusedException | DamagedException e) {
            log.error(
                    "sweep: cannot check or remove the {} of request {} in {}: {}; it remains in the table",
                    lock,
                    lock.age().requestId(),
                    lock.table(),
                    e.getMessage());
        }
    }

    /**
     * Confirms by an acknowledged write of the entry that a hold or a claim is dead. Returns empty if the entry changed
     * between the read and the write.
     */
    private Optional<Dead> dead(LockPriority age, Optional<Versioned<JournalEntry>> found) {
        WriteResult result = found.isPresent()
                ? stores.journal()
                        .write(
                                JournalStep.NO_OP,
                                found.get().value().withNoOp(),
                                found.get().version())
                : stores.journal().create(JournalStep.PLACEHOLDER, placeholder(age));
        return result instanceof WriteResult.Conflict
                ? Optional.empty()
                : Optional.of(found.map(Versioned::value)
                        .map(entry -> new Dead(entry.state().toString(), isExpected(entry)))
                        .orElseGet(() -> new Dead("missing", false)));
    }

    /** Returns whether the request of an entry is making attempts, or has ended and is not closed. */
    private static boolean isExpected(JournalEntry entry) {
        return entry.state().isAttempted()
                || (entry.state().isFinal() && entry.state().needsOwner());
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
