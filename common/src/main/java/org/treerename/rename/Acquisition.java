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
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.rename.Journal.Attempt;
import org.treerename.rename.Journal.Prepared;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Waiting;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Brings one delivered rename to PREPARED, or one writer to HELD, with its whole lock set held, in as many attempts as it
 * takes. One thread calls it, once.
 *
 * <p>Every attempt's request reads the watermarks of the record's partition, also where the entry stood there: it may have
 * been made, after an older one was deleted, by an attempt that got no answer, by one of the dead that arrived late, or by a
 * sweep.
 *
 * <ol>
 *   <li>one request writes the entry and takes the locks: if we die here, an entry stands that names the hold, and
 *       nothing has moved;
 *   <li>where there is more to lock, it is taken under the same hold ({@link FurtherLocks}): if we die here, the entry names
 *       the hold, and nothing has moved;
 *   <li>where a table refuses the lock set, what the others have granted is released, and the claims stay: if we die here, the entry names the
 *       attempt and nothing has moved;
 *   <li>the request waits by reads ({@link LockWait}): if we die here, a janitor removes its claims;
 *   <li>the next attempt's request writes the entry with a new hold id, removes the last one's, and takes the locks.
 * </ol>
 */
final class Acquisition {

    /** How it ended. */
    sealed interface Acquired {

        record Held(OwnEntry own) implements Acquired {}

        /** Others held the locks for too long; the entry is ours, as attempted, and holds nothing. */
        record Locked(OwnEntry own, List<Blocker> blockers) implements Acquired {}

        /** The journal may have forgotten that it was carried out; the entry is ours, PREPARED, and may hold locks. */
        record Expired(OwnEntry own) implements Acquired {}

        /** What it needs to lock cannot be read; the entry is ours, as attempted, and holds locks. */
        record Unreadable(OwnEntry own, String why) implements Acquired {}

        /** It is to stop; the entry is ours, as attempted, and holds nothing. */
        record Stopped(OwnEntry own) implements Acquired {}

        /** The request has an entry already that this delivery must not carry on now. */
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

    /** The entry as this process last wrote or read it; null where there is none. */
    private @Nullable Versioned<JournalEntry> entry;

    private @Nullable String previousHoldId;

    /** Of every attempt so far: a void one may yet arrive, and the entry then names it. */
    private final Set<String> triedHoldIds = new HashSet<>();

    /** Of a lock set that is all there is. */
    Acquisition(LockBooks stores, LockWatch watch, ProcessContext context, LockRequester requester, LockSet locks) {
        this(stores, watch, context, requester, locks, FurtherLocks.NONE);
    }

    Acquisition(
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
     * Waits for locks no longer than it may. Only time in which the store answers counts: while it does not,
     * the owners of the locks cannot go on either.
     *
     * @param found the entry that a read has shown; empty to begin with a new one
     */
    Acquired acquire(Optional<Versioned<JournalEntry>> found) {
        entry = found.orElse(null);
        previousHoldId = found.map(f -> f.value().ownership().holdId()).orElse(null);
        wait.begin(found.map(f -> f.value().waiting()).orElse(Waiting.NONE));
        Backoff backoff = context.backoffs().begin("the locks of " + requester.requestId());
        while (true) {
            Ownership ownership = nextOwnership();
            switch (attempt(ownership)) {
                case Tried.Took took -> {
                    return new Acquired.Held(own(took.entry()));
                }
                case Tried.Expired expired -> {
                    return new Acquired.Expired(own(expired.entry()));
                }
                case Tried.Unreadable unreadable -> {
                    return new Acquired.Unreadable(own(unreadable.entry()), unreadable.why());
                }
                case Tried.Refused refused -> {
                    Optional<Acquired> ended = ended(refused, wait.await(refused.refusal()));
                    if (ended.isPresent()) {
                        return ended.get();
                    }
                }
                case Tried.Unanswered unanswered -> {
                    if (context.stop().isRequested()) {
                        return new Acquired.Stopped(own(unanswered.entry()));
                    }
                    backoff.pause();
                }
                case Tried.Voided voided -> {
                    // also after a stop request: the attempt may yet arrive, and only an acknowledged write keeps it
                    // out
                    Optional<Versioned<JournalEntry>> now = reread();
                    if (now.isPresent() && !mayAttempt(now.get().value())) {
                        takeClaimsBack(now.get().value());
                        return new Acquired.Elsewhere(now.get());
                    }
                    entry = now.orElse(null);
                    backoff.pause();
                }
            }
        }
    }

    /** Empty if the next attempt follows. */
    private Optional<Acquired> ended(Tried.Refused refused, LockWait.Ended ended) {
        return switch (ended) {
            case LockWait.Ended.MayAttempt mayAttempt -> Optional.empty();
            case LockWait.Ended.Locked locked ->
                Optional.of(new Acquired.Locked(own(refused(refused.entry(), wait.waiting())), locked.blockers()));
            case LockWait.Ended.Stopped stopped -> Optional.of(new Acquired.Stopped(own(refused.entry())));
        };
    }

    /** What became of one attempt. */
    private sealed interface Tried {
        record Took(Versioned<JournalEntry> entry) implements Tried {}

        /** A record of the request stands at or below a watermark. */
        record Expired(Versioned<JournalEntry> entry) implements Tried {}

        /** The tree cannot be read. */
        record Unreadable(Versioned<JournalEntry> entry, String why) implements Tried {}

        /** Lock tables refused it; what others granted is released. */
        record Refused(LockWait.Refusal refusal) implements Tried {
            Versioned<JournalEntry> entry() {
                return refusal.entry();
            }
        }

        /** The entry is written, and it is not known whether the lock set is held; what is held is released. */
        record Unanswered(Versioned<JournalEntry> entry) implements Tried {}

        /** The entry was not written, or it is not known; the attempt's holds are given back. */
        record Voided() implements Tried {}
    }

    private Tried attempt(Ownership ownership) {
        context.beforeWriting("the locks of " + requester.requestId());
        String holdId = String.valueOf(ownership.holdId());
        triedHoldIds.add(holdId);
        JournalEntry next = entry == null
                ? requester.begun(ownership)
                : requester.again(entry.value()).attempted(ownership, wait.waiting());
        Version seen = entry == null ? null : entry.version();
        LockPriority age = next.age();
        Hold hold = new Hold(holdId, ownership.processId(), age);
        long askedNanos = context.time().nanos();
        try {
            Prepared prepared = stores.journal().prepare(new Attempt(next, seen, previousHoldId, hold, locks));
            if (prepared.entry() instanceof WriteResult.Written written) {
                entry = new Versioned<>(next, written.version());
                previousHoldId = holdId;
                if (prepared.expired()) {
                    return new Tried.Expired(entry);
                }
                if (prepared.taken()) {
                    return further(entry, hold);
                }
                Duration took = Duration.ofNanos(context.time().nanos() - askedNanos);
                boolean isRefusedByAll = prepared.refused().equals(locks.parts().keySet());
                if (!isRefusedByAll) {
                    giveBack(holdId);
                }
                return prepared.refused().isEmpty()
                        ? new Tried.Unanswered(entry)
                        : new Tried.Refused(new LockWait.Refusal(entry, hold, locks.parts(), took));
            }
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("request {}: an attempt got no answer and is void: {}", requester.requestId(), e.getMessage());
        } catch (FencedException e) {
            throw e;
        } catch (RuntimeException e) {
            // whatever it was, the locks may have been taken
            giveBack(holdId);
            throw e;
        }
        giveBack(holdId);
        return new Tried.Voided();
    }

    private Tried further(Versioned<JournalEntry> taken, Hold hold) {
        OwnEntry own = own(taken);
        FurtherLocks.Taken further = this.further.take(own, hold);
        Versioned<JournalEntry> now = own.versioned();
        entry = now;
        return switch (further) {
            case FurtherLocks.Taken.All all -> new Tried.Took(now);
            case FurtherLocks.Taken.Unreadable unreadable -> new Tried.Unreadable(now, unreadable.why());
            case FurtherLocks.Taken.Refused refused -> {
                giveBack(hold.holdId());
                SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts = new TreeMap<>(locks.parts());
                parts.putAll(refused.parts());
                yield new Tried.Refused(new LockWait.Refusal(now, hold, parts, refused.took()));
            }
            case FurtherLocks.Taken.NotOurs notOurs -> {
                giveBack(hold.holdId());
                yield new Tried.Voided();
            }
            case FurtherLocks.Taken.Stopped stopped -> {
                giveBack(hold.holdId());
                yield new Tried.Unanswered(now);
            }
        };
    }

    /** The next attempt removes the hold once more, so one lost answer here is harmless. */
    private void giveBack(String holdId) {
        Release release = Release.ofHold(holdId);
        context.retryUntilAnswered(
                "the giving back of " + holdId, () -> stores.locks().release(locks, release));
        watch.released(locks.parts().keySet(), release);
    }

    /**
     * A void attempt may have left claims after the request's owner took back what there was at its end; and those of
     * another content under the same id stand where the owner never looks. Claims decide about fairness only.
     */
    private void takeClaimsBack(JournalEntry now) {
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

    /** Given back by anybody, or still ours under one of our attempts' hold ids, however late that attempt arrived. */
    private boolean mayAttempt(JournalEntry now) {
        if (!requester.isItsOwn(now)) {
            return false;
        }
        if (now.state() == State.RETRY) {
            return true;
        }
        String holdId = now.ownership().holdId();
        boolean mine = now.ownership().processId().equals(context.processId())
                && holdId != null
                && triedHoldIds.contains(holdId);
        if (mine) {
            previousHoldId = holdId;
        }
        return mine && now.state().isAttempted();
    }

    /** The last refusal, too: it is written with whatever is written next. */
    private static Versioned<JournalEntry> refused(Versioned<JournalEntry> written, Waiting waiting) {
        return new Versioned<>(written.value().refused(waiting), written.version());
    }

    private OwnEntry own(Versioned<JournalEntry> written) {
        return new OwnEntry(stores.journal(), context, written);
    }
}
