package org.treerename.rename;

import java.time.Duration;
import java.util.HashSet;
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
import org.treerename.journal.JournalStep;
import org.treerename.journal.LockBooks;
import org.treerename.journal.LockRequester;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.journal.Waiting;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Makes the attempts of one acquisition of a lock set. Each attempt writes the entry and requests all locks under a new
 * hold id. Only one thread calls this class.
 */
final class LockAttempts {

    /** The result of one attempt: whether all locks are held, or the reason why not. */
    sealed interface AttemptResult {
        record Granted(Versioned<JournalEntry> entry) implements AttemptResult {}

        /** All records of the request are before the watermark, so a janitor may have deleted an earlier entry. */
        record Expired(Versioned<JournalEntry> entry) implements AttemptResult {}

        /** Elasticsearch refuses to read the tree. */
        record Unreadable(Versioned<JournalEntry> entry, String why) implements AttemptResult {}

        /** One or more lock tables refused the lock set. The locks that other tables granted are released. */
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

        /**
         * The entry was not written, or it is unknown whether the entry was written. The hold of the attempt is
         * released.
         */
        record Voided() implements AttemptResult {}
    }

    private static final Logger log = LoggerFactory.getLogger(LockAttempts.class);

    private final LockBooks stores;
    private final LockRelease release;
    private final ProcessContext context;
    private final LockRequester requester;
    private final LockSet locks;
    private final FurtherLocks further;

    /** The entry as this process last wrote or read it; null if there is none. */
    private @Nullable Versioned<JournalEntry> entry;

    private @Nullable String previousHoldId;

    /**
     * The hold ids of all attempts so far. The request of an attempt without an answer may arrive at Elasticsearch
     * late. The entry then names the hold id of this attempt.
     */
    private final Set<String> triedHoldIds = new HashSet<>();

    LockAttempts(
            LockBooks stores,
            LockWatch watch,
            ProcessContext context,
            LockRequester requester,
            LockSet locks,
            FurtherLocks further) {
        this.stores = stores;
        this.release = new LockRelease(stores.locks(), watch, context);
        this.context = context;
        this.requester = requester;
        this.locks = locks;
        this.further = further;
    }

    /** Sets the entry from which the first attempt continues; empty to create a new entry. */
    void begin(Optional<Versioned<JournalEntry>> found) {
        entry = found.orElse(null);
        previousHoldId = found.map(f -> f.value().ownership().holdId()).orElse(null);
    }

    /**
     * Makes one attempt.
     *
     * @param waiting the refusals so far, which the attempt writes into the entry
     */
    AttemptResult attempt(Waiting waiting) {
        Ownership ownership = nextOwnership();
        context.beforeWriting("the locks of request " + requester.requestId());
        String holdId = String.valueOf(ownership.holdId());
        triedHoldIds.add(holdId);
        JournalEntry next = entry == null
                ? requester.begun(ownership)
                : requester.again(entry.value()).attempted(ownership, waiting);
        Version seen = entry == null ? null : entry.version();
        LockPriority priority = next.age();
        Hold hold = new Hold(holdId, ownership.processId(), priority);
        long sentNanos = context.time().nanos();
        try {
            Prepared prepared =
                    stores.journal().prepare(new Attempt(JournalStep.ATTEMPT, next, seen, previousHoldId, hold, locks));
            if (prepared.entry() instanceof WriteResult.Written written) {
                entry = new Versioned<>(next, written.version());
                previousHoldId = holdId;
                return ofWritten(entry, hold, prepared, sentNanos);
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

    /** Returns the result of an attempt that has written the entry. */
    private AttemptResult ofWritten(Versioned<JournalEntry> written, Hold hold, Prepared prepared, long sentNanos) {
        if (prepared.expired()) {
            return new AttemptResult.Expired(written);
        }
        if (prepared.taken()) {
            return acquireFurther(written, hold);
        }
        Duration took = Duration.ofNanos(context.time().nanos() - sentNanos);
        boolean isRefusedByAll = prepared.refused().equals(locks.parts().keySet());
        if (!isRefusedByAll) {
            release(hold.holdId());
        }
        return prepared.refused().isEmpty()
                ? new AttemptResult.Unanswered(written)
                : new AttemptResult.Refused(new LockWait.Refusal(written, hold, locks.parts(), took));
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

    /**
     * Reads the entry after an attempt that did not write the entry, or whose result is unknown. The attempt may still
     * arrive at Elasticsearch, until a later write of the entry is acknowledged. So the process reads the entry even
     * after a stop request.
     *
     * @return the entry if this delivery must not process the request now; empty if another attempt follows
     */
    Optional<Versioned<JournalEntry>> readAfterVoided() {
        Optional<Versioned<JournalEntry>> now = context.retryUntilAnswered(
                "the read of the journal entry of request " + requester.requestId(),
                () -> stores.journal().read(requester.requestId()));
        if (now.isPresent() && !mayAttempt(now.get().value())) {
            releaseClaims(now.get().value());
            return now;
        }
        entry = now.orElse(null);
        return Optional.empty();
    }

    /** Releases a hold. If the process dies here, the next attempt of the request removes the hold. */
    private void release(String holdId) {
        release.release(requester.requestId(), locks, Release.ofHold(holdId));
    }

    /**
     * Releases the claims of the request if no other process releases them. An attempt without an answer may add claims
     * after the owner of the request has released all claims of the request. An attempt with the same request id but
     * different content adds claims to tables that the owner never reads. Claims affect only fairness.
     */
    private void releaseClaims(JournalEntry now) {
        if (now.state().isFinal() || !requester.isItsOwn(now)) {
            Release claims = Release.ofRequest(requester.requestId(), Set.of());
            context.retryUntilAnswered(
                    "the claims of request " + requester.requestId(),
                    () -> stores.locks().release(locks, claims));
        }
    }

    private Ownership nextOwnership() {
        long epoch = entry == null ? 1 : entry.value().ownership().epoch() + 1;
        return new Ownership(context.processId(), epoch, context.holdIds().get());
    }

    /**
     * Returns whether this process may make the next attempt. Returns true if the entry is in RETRY, or if one of the
     * attempts so far wrote the entry. This may be an earlier attempt, because an attempt without an answer may write
     * the entry late.
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

    OwnEntry own(Versioned<JournalEntry> written) {
        return new OwnEntry(stores.journal(), context, written);
    }
}
