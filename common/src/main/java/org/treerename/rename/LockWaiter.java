package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.path.TreePath;
import org.treerename.runtime.Wake;

/**
 * A refused request that waits, with the results of the reads that {@link LockWatch} makes. The monitor of the watch
 * guards all fields.
 */
final class LockWaiter {

    private final Hold hold;
    private final SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts;
    private final Wake wake = new Wake();
    private boolean mayAttempt;

    /** Whether a read of the tables of this request failed unexpectedly. */
    private boolean isUnreadable;

    /**
     * Whether the store has answered a read that began after the attempt. Tables from an earlier read may lack the
     * claim of the attempt.
     */
    private boolean isShown;

    /** Whether a read of the tables of this request has begun. */
    private boolean hasReadBegun;

    /** The time of the last read; before the first read, the time at which the wait began. */
    private long readNanos;

    /** The part of the waiting time during which the store answered. */
    private Duration answered = Duration.ZERO;

    /** The blockers at the first read; empty before the first read. */
    private List<Blocker> firstBlockers = List.of();

    LockWaiter(Hold hold, SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, long nowNanos) {
        this.hold = hold;
        this.parts = parts;
        this.readNanos = nowNanos;
    }

    LockPriority age() {
        return hold.age();
    }

    /**
     * Checks whether this request may make its next attempt. Does nothing if its tables were not read after the refused
     * attempt. If the request may make its next attempt, changes {@code afterAttempts} as this attempt would change the
     * tables. Younger requests are checked against these changed tables. So if a table has room for one more claim,
     * only one request makes an attempt.
     *
     * @param stored the tables as the last read showed them
     * @param afterAttempts the tables as the attempts of older requests would change them
     */
    void check(Map<LockTable.Id, LockTable> stored, Map<LockTable.Id, LockTable> afterAttempts) {
        if (mayAttempt || !isShown || !stored.keySet().containsAll(parts.keySet())) {
            return;
        }
        if (GrantCheck.mayAttempt(hold, parts, afterAttempts)) {
            mayAttempt = true;
            wake.wake();
            parts.forEach(
                    (id, wanted) -> afterAttempts.computeIfPresent(id, (same, table) -> table.taken(hold, wanted)));
        } else if (firstBlockers.isEmpty()) {
            firstBlockers = GrantCheck.blockers(hold, parts, stored);
        }
    }

    List<Blocker> blockers(Map<LockTable.Id, LockTable> stored) {
        if (mayAttempt) {
            return firstBlockers;
        }
        return stored.keySet().containsAll(parts.keySet()) ? GrantCheck.blockers(hold, parts, stored) : List.of();
    }

    Set<LockTable.Id> tables() {
        return parts.keySet();
    }

    Wake wake() {
        return wake;
    }

    boolean hasEnded() {
        return mayAttempt || isUnreadable;
    }

    /** Records that a read of the tables of this request begins. */
    void readBegins() {
        hasReadBegun = true;
    }

    /** Records that the store answered a read of the tables of all waiters. */
    void readEnds() {
        isShown |= hasReadBegun;
    }

    /** Ends the wait if the tables of this request were part of a failed read. */
    void readFails() {
        if (hasReadBegun) {
            isUnreadable = true;
            wake.wake();
        }
    }

    LockWatch.Waited result(List<Blocker> blockers) {
        return new LockWatch.Waited(mayAttempt, isUnreadable, answered, blockers);
    }

    /** Adds the time since the last read to {@link #answered}, if the store answered during this time. */
    void addTime(long nowNanos, boolean isAnswered) {
        answered = isAnswered ? answered.plusNanos(nowNanos - readNanos) : answered;
        readNanos = nowNanos;
    }
}
