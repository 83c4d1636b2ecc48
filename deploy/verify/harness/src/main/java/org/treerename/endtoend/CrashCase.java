package org.treerename.endtoend;

import java.util.List;
import java.util.stream.Stream;
import org.treerename.crash.CrashPoint;
import org.treerename.namespace.Granularity;

/**
 * A crash point at which a process dies or freezes.
 *
 * @param nth the process dies or freezes when it reaches the point for the n-th time; 1 is the first time
 */
record CrashCase(CrashPoint point, int nth) {

    /** The exit code of a process that SIGKILL or a crash point has ended. */
    static final int KILLED = 137;

    /** The cases in which workers are killed, in the order in which a rename reaches the points. */
    static final List<CrashCase> WORKERS = List.of(
            new CrashCase(CrashPoint.BEFORE_PREPARE, 1),
            new CrashCase(CrashPoint.AFTER_PREPARE, 1),
            new CrashCase(CrashPoint.BEFORE_ATTEMPT_RELEASE, 1),
            new CrashCase(CrashPoint.AFTER_ATTEMPT_RELEASE, 1),
            new CrashCase(CrashPoint.BEFORE_COMMIT, 1),
            new CrashCase(CrashPoint.AFTER_COMMIT, 1),
            new CrashCase(CrashPoint.BEFORE_REMOVAL, 1),
            new CrashCase(CrashPoint.AFTER_REMOVAL, 1),
            new CrashCase(CrashPoint.BEFORE_MOVE, 1),
            new CrashCase(CrashPoint.WITHIN_MOVE, 2),
            new CrashCase(CrashPoint.AFTER_MOVE, 1),
            new CrashCase(CrashPoint.BETWEEN_PAGES, 2),
            new CrashCase(CrashPoint.BEFORE_PROOF, 1),
            new CrashCase(CrashPoint.BEFORE_DONE, 1),
            new CrashCase(CrashPoint.AFTER_DONE, 1),
            new CrashCase(CrashPoint.BEFORE_RELEASE, 1),
            new CrashCase(CrashPoint.AFTER_RELEASE, 1),
            new CrashCase(CrashPoint.BEFORE_OUTCOME, 1),
            new CrashCase(CrashPoint.AFTER_OUTCOME, 1),
            new CrashCase(CrashPoint.BEFORE_CLOSE, 1),
            new CrashCase(CrashPoint.AFTER_CLOSE, 1),
            new CrashCase(CrashPoint.BEFORE_OFFSET, 1));

    /**
     * The cases in which processes of direct renames are killed: {@link #WORKERS} without {@link
     * CrashPoint#BEFORE_OFFSET}.
     */
    static final List<CrashCase> DIRECT = WORKERS.stream()
            .filter(crash -> crash.point() != CrashPoint.BEFORE_OFFSET)
            .toList();

    /**
     * The cases in which janitors are killed. {@link CrashPoint#BEFORE_PROGRESS} and {@link CrashPoint#AFTER_PROGRESS}
     * are among these cases, because each pass of a janitor writes the journal entry. The first pass of a worker writes
     * the entry only if the pass takes a second or more.
     */
    static final List<CrashCase> JANITORS = List.of(
            new CrashCase(CrashPoint.AFTER_FENCE, 1),
            new CrashCase(CrashPoint.AFTER_TAKE_OVER, 1),
            new CrashCase(CrashPoint.BEFORE_PROGRESS, 1),
            new CrashCase(CrashPoint.AFTER_PROGRESS, 1),
            new CrashCase(CrashPoint.ROLLING_FORWARD, 2),
            new CrashCase(CrashPoint.BEFORE_RECLAIM, 1),
            new CrashCase(CrashPoint.BEFORE_RETRY, 1));

    /**
     * The cases in which workers freeze: before each kind of write that could cause damage if the write arrived late.
     */
    static final List<CrashCase> FROZEN = List.of(
            new CrashCase(CrashPoint.AFTER_COMMIT, 1),
            new CrashCase(CrashPoint.BEFORE_REMOVAL, 1),
            new CrashCase(CrashPoint.BEFORE_MOVE, 2),
            new CrashCase(CrashPoint.WITHIN_MOVE, 2),
            new CrashCase(CrashPoint.BETWEEN_PAGES, 2),
            new CrashCase(CrashPoint.BEFORE_PROOF, 1),
            new CrashCase(CrashPoint.BEFORE_DONE, 1),
            new CrashCase(CrashPoint.BEFORE_RELEASE, 1));

    /**
     * Returns the cases at the points in {@code byDefault}. With {@code -Drepeat=1}, which {@code -Pfull} sets, returns
     * all cases. Never returns a case whose point no rename can reach.
     */
    static Stream<CrashCase> of(List<CrashCase> cases, CrashPoint... byDefault) {
        List<CrashPoint> points = List.of(byDefault);
        return cases.stream().filter(CrashCase::isReached).filter(c -> Series.WHOLE || points.contains(c.point()));
    }

    /**
     * Returns whether a rename can reach this point. A refused attempt releases its hold only if one of its two tables
     * granted the hold. With the granularity {@code global} there is only one lock in one table, so no refused attempt
     * releases a hold.
     */
    private boolean isReached() {
        return !isOfRefused() || Tree.GRANULARITY != Granularity.GLOBAL;
    }

    /** Returns whether a rename reaches this point only if the rename replaces a document. */
    boolean isOfReplacing() {
        return point == CrashPoint.BEFORE_REMOVAL || point == CrashPoint.AFTER_REMOVAL;
    }

    /** Returns whether a rename reaches this point only if a lock is refused. */
    boolean isOfRefused() {
        return point == CrashPoint.BEFORE_ATTEMPT_RELEASE || point == CrashPoint.AFTER_ATTEMPT_RELEASE;
    }

    /**
     * Returns whether a rename reaches this point before its commit. Only a rename that locks each document does this:
     * it reads all pages before its commit, to lock the documents on each page.
     */
    boolean isInLocking() {
        boolean readsPages = point == CrashPoint.BETWEEN_PAGES || point == CrashPoint.BEFORE_PROOF;
        return readsPages && Tree.GRANULARITY == Granularity.DOCUMENT;
    }

    /** Returns whether the rename is committed at this point. */
    boolean isDecided() {
        return point.compareTo(CrashPoint.AFTER_COMMIT) >= 0 && !isInLocking();
    }

    /** Returns whether the rename is committed but not DONE at this point. */
    boolean isOfMoving() {
        return isDecided() && point.compareTo(CrashPoint.BEFORE_DONE) <= 0;
    }

    /** Returns the point at which a worker must die so that a janitor reaches this point. */
    CrashPoint workers() {
        return point == CrashPoint.BEFORE_RETRY ? CrashPoint.AFTER_PREPARE : CrashPoint.AFTER_COMMIT;
    }

    /** Returns the case as the value of an option such as {@code --crash-at}. */
    @Override
    public String toString() {
        return point + ":" + nth;
    }
}
