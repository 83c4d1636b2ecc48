package org.treerename.rename;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalEntry.Ownership;
import org.treerename.journal.JournalEntry.Waiting;
import org.treerename.journal.LockBooks;
import org.treerename.journal.LockRequester;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Acquires the whole lock set of one delivered rename or of one writer. The entry of the rename is then PREPARED; the
 * entry of the writer is then HELD. This class makes as many attempts as needed. Only one thread calls it, and only
 * once.
 *
 * <p>The request of every attempt also reads the watermarks of the record's partition, even if the journal already has
 * an entry. The journal may have deleted an older entry of the request. A late write of a dead process, an attempt
 * without an answer, or a sweep can then create an entry again.
 *
 * <ol>
 *   <li>One request writes the entry and acquires the locks. If we die here, the entry names the hold, and no document
 *       has moved.
 *   <li>If there are further locks, the worker acquires them under the same hold ({@link FurtherLocks}). If we die
 *       here, the entry names the hold, and no document has moved.
 *   <li>If a table refuses the lock set, the worker releases the holds that other tables granted, and keeps the claims.
 *       If we die here, the entry names the attempt, and no document has moved.
 *   <li>The request waits by reads ({@link LockWait}). If we die here, a janitor removes its claims.
 *   <li>The request of the next attempt writes the entry with a new hold id and removes the hold of the last attempt.
 *       Then it acquires the locks.
 * </ol>
 */
public final class Acquisition {

    /** The result of an acquisition. */
    public sealed interface Acquired {

        record Held(OwnEntry own) implements Acquired {}

        /** Other requests held the locks for too long. This process owns the entry. The entry is as the last attempt wrote it, and holds no locks. */
        record Locked(OwnEntry own, List<Blocker> blockers) implements Acquired {}

        /**
         * The journal may have deleted an earlier entry of the request. This process owns the entry. The entry is
         * PREPARED and may hold locks.
         */
        record Expired(OwnEntry own) implements Acquired {}

        /** Elasticsearch refuses to read the paths to lock. This process owns the entry. The entry is as the last attempt wrote it, and holds locks. */
        record Unreadable(OwnEntry own, String why) implements Acquired {}

        /** The process must stop. This process owns the entry. The entry is as the last attempt wrote it, and holds no locks. */
        record Stopped(OwnEntry own) implements Acquired {}

        /** The request already has an entry, and this delivery must not process it now. */
        record Elsewhere(Versioned<JournalEntry> entry) implements Acquired {}
    }

    private static final Logger log = LoggerFactory.getLogger(Acquisition.class);

    private final LockBooks stores;
    private final LockWatch watch;
    private final LockWait wait;
    private final ProcessContext context;
    private final LockRequester requester;
    private final LockSet locks;
    private final FurtherLocks further;

    /** The entry as this process last wrote or read it; null if there is none. */
    private @Nullable Versioned<JournalEntry> entry;

    private @Nullable String previousHoldId;

    /** The hold ids of all attempts so far. An attempt without an answer may still arrive, and then the entry names its hold id. */
    private final Set<String> triedHoldIds = new HashSet<>();

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
        this.stores = stores;
        this.watch = watch;
        this.context = context;
        this.requester = requester;
        this.locks = locks;
        this.further = further;
        this.wait = new LockWait(stores, watch, context, requester.requestId(), locks);
    }

    /**
     * Acquires the locks, and waits for them up to {@link ProcessContext#lockWait}. While the store does not answer,
     * the waiting time does not grow, because the owners of the locks cannot continue either.
     *
     * @param found the entry that a read returned; empty to create a new entry
     */
    public Acquired acquire(Optional<Versioned<JournalEntry>> found) {
        entry = found.orElse(null);
        previousHoldId = found.map(f -> f.value().ownership().holdId()).orElse(null);
        wait.begin(found.map(f -> f.value().waiting()).orElse(Waiting.NONE));
        Backoff backoff = context.backoffs().begin("the locks of " + requester.requestId());
        while (true) {
            Ownership ownership = nextOwnership();
            switch (attempt(ownership)) {
                case AttemptResult.Granted granted -> {
                    return new Acquired.Held(own(granted.entry()));
                }
                case AttemptResult.Expired expired -> {
                    return new Acquired.Expired(own(expired.entry()));
                }
                case AttemptResult.Unreadable unreadable -> {
                    return new Acquired.Unreadable(own(unreadable.entry()), unreadable.why());
                }
                case AttemptResult.Refused refused -> {
                    Optional<Acquired> result = afterWait(refused, wait.await(refused.refusal()));
                    if (result.isPresent()) {
                        return result.get();
                    }
                }
                case AttemptResult.Unanswered unanswered -> {
                    if (context.stop().isRequested()) {
                        return new Acquired.Stopped(own(unanswered.entry()));
                    }
                    backoff.pause();
                }
                case AttemptResult.Voided voided -> {
                    // Reads the entry even after a stop request. The attempt may still arrive, and only an
                    // acknowledged write of the entry prevents this.
                    Optional<Versioned<JournalEntry>> now = reread();
                    if (now.isPresent() && !mayAttempt(now.get().value())) {
                        releaseClaims(now.get().value());
                        return new Acquired.Elsewhere(now.get());
                    }
                    entry = now.orElse(null);
                    backoff.pause();
                }
            }
        }
    }

    /** Returns the result of the acquisition after a wait; returns empty if another attempt follows. */
    private Optional<Acquired> afterWait(AttemptResult.Refused refused, LockWait.Ended ended) {
        return switch (ended) {
            case LockWait.Ended.MayAttempt mayAttempt -> Optional.empty();
            case LockWait.Ended.Locked locked ->
                Optional.of(new Acquired.Locked(own(refused(refused.entry(), wait.waiting())), locked.blockers()));
            case LockWait.Ended.Stopped stopped -> Optional.of(new Acquired.Stopped(own(refused.entry())));
        };
    }

    /** The result of one attempt. */
    private sealed interface AttemptResult {
        record Granted(Versioned<JournalEntry> entry) implements AttemptResult {}

        /** A record of the request is at or below a watermark. */
        record Expired(Versioned<JournalEntry> entry) implements AttemptResult {}

        /** Elasticsearch refuses to read the tree. */
        record Unreadable(Versioned<JournalEntry> entry, String why) implements AttemptResult {}

        /** Lock tables refused the lock set. The locks that other tables granted are released. */
        record Refused(LockWait.Refusal refusal) implements AttemptResult {
            Versioned<JournalEntry> entry() {
                return refusal.entry();
            }
        }

        /**
         * The entry is written, but the answer does not show whether every lock is held. This process has released the
         * hold.
         */
        record Unanswered(Versioned<JournalEntry> entry) implements AttemptResult {}

        /** The entry was not written, or the result is unknown. The hold of the attempt is released. */
        record Voided() implements AttemptResult {}
    }

    private AttemptResult attempt(Ownership ownership) {
        context.beforeWriting("the locks of " + requester.requestId());
        String holdId = String.valueOf(ownership.holdId());
        triedHoldIds.add(holdId);
        JournalEntry next = entry == null
                ? requester.begun(ownership)
                : requester.again(entry.value()).attempted(ownership, wait.waiting());
        Version seen = entry == null ? null : entry.version();
        LockPriority priority = next.age();
        Hold hold = new Hold(holdId, ownership.processId(), priority);
        long sentNanos = context.time().nanos();
        try {
            Prepared prepared = stores.journal().prepare(new Attempt(next, seen, previousHoldId, hold, locks));
            if (prepared.entry() instanceof WriteResult.Written written) {
                entry = new Versioned<>(next, written.version());
                previousHoldId = holdId;
                if (prepared.expired()) {
                    return new AttemptResult.Expired(entry);
                }
                if (prepared.taken()) {
                    return acquireFurther(entry, hold);
                }
                Duration took = Duration.ofNanos(context.time().nanos() - sentNanos);
                boolean isRefusedByAll = prepared.refused().equals(locks.parts().keySet());
                if (!isRefusedByAll) {
                    release(holdId);
                }
                return prepared.refused().isEmpty()
                        ? new AttemptResult.Unanswered(entry)
                        : new AttemptResult.Refused(new LockWait.Refusal(entry, hold, locks.parts(), took));
            }
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "request {}: an attempt to acquire its locks got no answer: {}; releasing hold {} and trying again",
                            requester.requestId(),
                            e.getMessage(),
                            holdId);
        } catch (FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            // After any failure, the locks may be held.
            release(holdId);
            throw e;
        }
        release(holdId);
        return new AttemptResult.Voided();
    }

    private AttemptResult acquireFurther(Versioned<JournalEntry> attempted, Hold hold) {
        OwnEntry own = own(attempted);
        FurtherLocks.Taken taken = further.take(own, hold);
        Versioned<JournalEntry> now = own.versioned();
        entry = now;
        return switch (taken) {
            case FurtherLocks.Taken.All all -> new AttemptResult.Granted(now);
            case FurtherLocks.Taken.Unreadable unreadable -> new AttemptResult.Unreadable(now, unreadable.why());
            case FurtherLocks.Taken.Refused refused -> {
                release(hold.holdId());
                SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts = new TreeMap<>(locks.parts());
                parts.putAll(refused.parts());
                yield new AttemptResult.Refused(new LockWait.Refusal(now, hold, parts, refused.took()));
            }
            case FurtherLocks.Taken.NotOurs notOurs -> {
                release(hold.holdId());
                yield new AttemptResult.Voided();
            }
            case FurtherLocks.Taken.Stopped stopped -> {
                release(hold.holdId());
                yield new AttemptResult.Unanswered(now);
            }
        };
    }

    /** Releases a hold. A lost answer does no harm, because the next attempt removes the hold again. */
    private void release(String holdId) {
        Release release = Release.ofHold(holdId);
        context.retryUntilAnswered(
                "the release of hold " + holdId, () -> stores.locks().release(locks, release));
        watch.released(locks.parts().keySet(), release);
    }

    /**
     * Releases the claims of the request if no other process does so. An attempt without an answer may add claims after
     * the owner of the request has released all its claims. An attempt with the same request id and other content adds
     * claims to tables that the owner never reads. Claims affect only fairness.
     */
    private void releaseClaims(JournalEntry now) {
        if (now.state().isFinal() || !requester.isItsOwn(now)) {
            Release claims = Release.ofRequest(requester.requestId(), Set.of());
            context.retryUntilAnswered(
                    "the claims of " + requester.requestId(),
                    () -> stores.locks().release(locks, claims));
        }
    }

    private Ownership nextOwnership() {
        long epoch = entry == null ? 1 : entry.value().ownership().epoch() + 1;
        return new Ownership(context.processId(), epoch, context.holdIds().get());
    }

    private Optional<Versioned<JournalEntry>> reread() {
        return context.retryUntilAnswered(
                "the entry of " + requester.requestId(), () -> stores.journal().read(requester.requestId()));
    }

    /**
     * Returns whether this process may make the next attempt. It may if the entry is RETRY, or if an attempt of this
     * process wrote the entry, even a late attempt.
     */
    private boolean mayAttempt(JournalEntry now) {
        if (!requester.isItsOwn(now)) {
            return false;
        }
        if (now.state() == State.RETRY) {
            return true;
        }
        String holdId = now.ownership().holdId();
        boolean isOurs = now.ownership().processId().equals(context.processId())
                && holdId != null
                && triedHoldIds.contains(holdId);
        if (isOurs) {
            previousHoldId = holdId;
        }
        return isOurs && now.state().isAttempted();
    }

    /** Adds the refusals so far to the entry in memory. The next write of the entry stores them. */
    private static Versioned<JournalEntry> refused(Versioned<JournalEntry> written, Waiting waiting) {
        return new Versioned<>(written.value().refused(waiting), written.version());
    }

    private OwnEntry own(Versioned<JournalEntry> written) {
        return new OwnEntry(stores.journal(), context, written);
    }
}
