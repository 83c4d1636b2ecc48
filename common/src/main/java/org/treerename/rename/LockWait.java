package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.journal.Waiting;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

/**
 * Blocks one request after each refusal, until the next attempt of the request may succeed. While the request waits,
 * the {@link LockWatch} repeatedly reads the lock tables. Only one thread calls this class.
 *
 * <p>Most locks are released within milliseconds. So after each of its first two refusals, a request uses only the
 * reads that the watch makes for all waiting requests. After each later refusal, the request also reads its own tables
 * at once. Without these reads, two requests could acquire and release locks again and again, and wake each other each
 * time.
 */
final class LockWait {

    /** The result of a wait: whether the request makes its next attempt, or the reason why not. */
    sealed interface Ended {

        /** The next attempt may succeed, or would add a missing claim, or the entry has changed. */
        record MayAttempt() implements Ended {}

        /** Other requests held the locks for longer than this request may wait. */
        record Locked(List<Blocker> blockers) implements Ended {}

        /** The process must stop. */
        record Stopped() implements Ended {}
    }

    /**
     * An attempt that at least one lock table refused.
     *
     * @param entry the entry as the attempt wrote it
     * @param parts the locks that the attempt requests in each table
     * @param took the time from the attempt to its answer
     */
    record Refusal(
            Versioned<JournalEntry> entry,
            Hold hold,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Duration took) {}

    private static final Logger log = LoggerFactory.getLogger(LockWait.class);

    /** A waiting request reads its own entry once in this time. */
    private static final Duration SLICE = Duration.ofSeconds(2);

    /** The time in which the watch makes at least one read. */
    private static final Duration ONE_READ = LockWatch.EVERY.multipliedBy(2);

    /** The number of refusals after which the request reads its tables itself. */
    private static final int FIRST_REFUSALS = 2;

    private final LockBooks stores;
    private final LockWatch watch;
    private final ProcessContext context;
    private final String requestId;
    private Waiting waiting = Waiting.NONE;
    private int refusals;

    /** The time for which locks of other requests have blocked this request. */
    private Duration waited = Duration.ZERO;

    /**
     * Whether the current wait has recorded its blockers in {@link #waiting}. Each wait records its blockers at most
     * once.
     */
    private boolean isRecorded;

    LockWait(LockBooks stores, LockWatch watch, ProcessContext context, String requestId) {
        this.stores = stores;
        this.watch = watch;
        this.context = context;
        this.requestId = requestId;
    }

    /** Sets the earlier refusals of the request, as its entry contains them. */
    void begin(Waiting before) {
        waiting = before;
    }

    /** Returns the refusals so far, for the next write of the entry. */
    Waiting waiting() {
        return waiting;
    }

    /**
     * Blocks after a refusal. Returns when the next attempt may succeed, the request has waited for too long, or the
     * process must stop.
     */
    Ended await(Refusal refusal) {
        waited = waited.plus(refusal.took());
        isRecorded = false;
        Optional<GrantCheck> check = ++refusals > FIRST_REFUSALS ? check(refusal) : Optional.empty();
        List<Blocker> blockers = check.map(GrantCheck::blockers).orElse(List.of());
        Duration next = firstSlice(check);
        while (!context.stop().isRequested()) {
            if (!blockers.isEmpty()) {
                recordRefusal(blockers);
                if (waited.compareTo(context.lockWait()) > 0) {
                    return new Ended.Locked(blockers);
                }
            }
            LockWatch.Waited wait = watch.await(context, refusal.parts(), refusal.hold(), next);
            waited = waited.plus(wait.answered());
            blockers = wait.blockers();
            if (context.stop().isRequested()) {
                break;
            }
            if (wait.mayAttempt() || check.filter(GrantCheck::mayAttempt).isPresent() || !isAsLeft(refusal.entry())) {
                recordRefusal(blockers);
                return new Ended.MayAttempt();
            }
            next = slice();
            if (wait.isUnreadable()) {
                check = check(refusal);
                blockers = check.map(GrantCheck::blockers).orElse(List.of());
                next = firstSlice(check);
            }
        }
        return new Ended.Stopped();
    }

    /**
     * Reads the tables of the request, and checks whether the next attempt may succeed. Returns empty if the store does
     * not answer. Throws the exception of any other failure, for example of a damaged table.
     */
    private Optional<GrantCheck> check(Refusal refusal) {
        try {
            return Optional.of(watch.check(refusal.parts(), refusal.hold()));
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "request {}: cannot read the lock tables in which its locks were refused: {}; waiting for"
                                    + " the next read",
                            requestId,
                            e.getMessage());
            return Optional.empty();
        }
    }

    private Duration firstSlice(Optional<GrantCheck> check) {
        if (check.isEmpty()) {
            return ONE_READ;
        }
        return check.get().mayAttempt() ? LockWatch.EVERY : slice();
    }

    private Duration slice() {
        Duration left = context.lockWait().minus(waited);
        Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
        return slice.compareTo(ONE_READ) < 0 ? ONE_READ : slice;
    }

    private void recordRefusal(List<Blocker> blockers) {
        if (isRecorded || blockers.isEmpty()) {
            return;
        }
        isRecorded = true;
        Blocker first = blockers.getFirst();
        if (waiting.refusals() == 0) {
            log.info("request {} waits for locks: {}", requestId, first);
        }
        waiting = new Waiting(waiting.refusals() + 1, first.requestId(), first.toString());
    }

    /**
     * Returns whether the entry is unchanged since the refused attempt. Another process or another delivery may have
     * written the entry. If the store does not answer, the entry is treated as unchanged.
     */
    private boolean isAsLeft(Versioned<JournalEntry> left) {
        try {
            return stores.journal()
                    .read(requestId)
                    .filter(found -> found.version().isLaterThan(left.version()))
                    .isEmpty();
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "request {}: cannot read its journal entry while it waits for locks: {}; continuing to"
                                    + " wait",
                            requestId,
                            e.getMessage());
            return true;
        }
    }
}
