package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.journal.LockRequester;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.Waiting;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.process.ProcessContext;
import org.treerename.rename.LockAttempts.AttemptResult;
import org.treerename.runtime.Backoff;
import org.treerename.store.Versioned;

/**
 * Acquires the whole lock set of one delivered rename or of one writer. After the acquisition, the entry of a rename is
 * PREPARED, and the entry of a writer is HELD. This class makes as many attempts as necessary. Each instance is used
 * only once, by one thread.
 *
 * <p>The request that an attempt sends to Elasticsearch also reads the watermark. This read is necessary even if the
 * journal has an entry of the request. A janitor may have deleted an earlier entry of the same request. After this
 * deletion, a late write of a dead process, an attempt without an answer, or a sweep of a janitor can create an entry
 * again.
 *
 * <ol>
 *   <li>One request to Elasticsearch writes the entry and acquires the locks under a new hold. If the process dies
 *       here, the entry names the hold, and no document has moved.
 *   <li>If the rename needs further locks, the process acquires these locks under the same hold ({@link FurtherLocks}).
 *       If the process dies here, the entry names the hold, and no document has moved.
 *   <li>If a table refuses the lock set, the process releases the locks that other tables granted, and keeps the claims
 *       of the request. If the process dies here, the entry names the hold, and no document has moved.
 *   <li>The process waits, and repeatedly reads the lock tables ({@link LockWait}). If the process dies here, a janitor
 *       removes the claims of the request.
 *   <li>The next attempt sends one request to Elasticsearch. This request writes the entry with a new hold id, removes
 *       the hold of the previous attempt, and acquires the locks.
 * </ol>
 */
public final class Acquisition {

    /**
     * The result of an acquisition: whether the locks are held, and the entry as this process last read or wrote it.
     */
    public sealed interface Acquired {

        record Held(OwnEntry own) implements Acquired {}

        /**
         * Other requests held the locks for too long. This process owns the entry, which the last attempt wrote. The
         * request holds no locks.
         */
        record Locked(OwnEntry own, List<Blocker> blockers) implements Acquired {}

        /**
         * A janitor may have deleted an earlier entry of the request. This process owns the current entry. The current
         * entry is PREPARED, and the request may hold locks.
         */
        record Expired(OwnEntry own) implements Acquired {}

        /**
         * Elasticsearch refuses to read the paths to lock. This process owns the entry, which the last attempt wrote.
         * The request holds locks.
         */
        record Unreadable(OwnEntry own, String why) implements Acquired {}

        /**
         * This process must stop. This process owns the entry, which the last attempt wrote. The request holds no
         * locks.
         */
        record Stopped(OwnEntry own) implements Acquired {}

        /** The request already has an entry, and this delivery must not process the request now. */
        record Elsewhere(Versioned<JournalEntry> entry) implements Acquired {}
    }

    private final LockWait wait;
    private final LockAttempts attempts;
    private final ProcessContext context;
    private final LockRequester requester;

    /** Creates the acquisition of a lock set without further locks. */
    public Acquisition(
            LockBooks stores, LockWatch watch, ProcessContext context, LockRequester requester, LockSet locks) {
        this(stores, watch, context, requester, locks, FurtherLocks.NONE);
    }

    public Acquisition(
            LockBooks stores,
            LockWatch watch,
            ProcessContext context,
            LockRequester requester,
            LockSet locks,
            FurtherLocks further) {
        this.context = context;
        this.requester = requester;
        this.wait = new LockWait(stores, watch, context, requester.requestId());
        this.attempts = new LockAttempts(stores, watch, context, requester, locks, further);
    }

    /**
     * Acquires the locks, and waits for them up to {@link ProcessContext#lockWait}. Time without an answer of the store
     * is not counted as waiting time. During this time, the owners of the locks cannot continue.
     *
     * @param found the entry that a read returned; empty to create a new entry
     */
    public Acquired acquire(Optional<Versioned<JournalEntry>> found) {
        attempts.begin(found);
        wait.begin(found.map(f -> f.value().waiting()).orElse(Waiting.NONE));
        Backoff backoff = context.backoffs().begin("the locks of request " + requester.requestId());
        while (true) {
            switch (attempts.attempt(wait.waiting())) {
                case AttemptResult.Granted granted -> {
                    return new Acquired.Held(attempts.own(granted.entry()));
                }
                case AttemptResult.Expired expired -> {
                    return new Acquired.Expired(attempts.own(expired.entry()));
                }
                case AttemptResult.Unreadable unreadable -> {
                    return new Acquired.Unreadable(attempts.own(unreadable.entry()), unreadable.why());
                }
                case AttemptResult.Refused refused -> {
                    Optional<Acquired> result = afterWait(refused, wait.await(refused.refusal()));
                    if (result.isPresent()) {
                        return result.get();
                    }
                }
                case AttemptResult.Unanswered unanswered -> {
                    if (context.stop().isRequested()) {
                        return new Acquired.Stopped(attempts.own(unanswered.entry()));
                    }
                    backoff.pause();
                }
                case AttemptResult.Voided voided -> {
                    Optional<Versioned<JournalEntry>> elsewhere = attempts.readAfterVoided();
                    if (elsewhere.isPresent()) {
                        return new Acquired.Elsewhere(elsewhere.get());
                    }
                    backoff.pause();
                }
            }
        }
    }

    /** Returns the result of the acquisition after a wait; empty if another attempt follows. */
    private Optional<Acquired> afterWait(AttemptResult.Refused refused, LockWait.Ended ended) {
        return switch (ended) {
            case LockWait.Ended.MayAttempt mayAttempt -> Optional.empty();
            case LockWait.Ended.Locked locked ->
                Optional.of(
                        new Acquired.Locked(attempts.own(refused(refused.entry(), wait.waiting())), locked.blockers()));
            case LockWait.Ended.Stopped stopped -> Optional.of(new Acquired.Stopped(attempts.own(refused.entry())));
        };
    }

    /** Adds the refusals so far to the entry in memory. The next write of the entry stores the refusals. */
    private static Versioned<JournalEntry> refused(Versioned<JournalEntry> written, Waiting waiting) {
        return new Versioned<>(written.value().refused(waiting), written.version());
    }
}
