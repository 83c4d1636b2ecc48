package org.treerename.endtoend;

import java.util.List;
import java.util.stream.Stream;
import org.treerename.crash.CrashPoint;
import org.treerename.path.Granularity;

/**
 * Where a process is to die or freeze.
 *
 * @param nth the how many-eth time that it comes by
 */
record CrashCase(CrashPoint point, int nth) {

    /** The exit code of what was killed by force. */
    static final int KILLED = 137;

    /** Where workers are killed: at every point that a rename reaches, and in the middle of a move. */
    static final List<CrashCase> WORKERS = List.of(
            new CrashCase(CrashPoint.BEFORE_PREPARE, 1),
            new CrashCase(CrashPoint.AFTER_PREPARE, 1),
            new CrashCase(CrashPoint.BEFORE_GIVE_BACK, 1),
            new CrashCase(CrashPoint.AFTER_GIVE_BACK, 1),
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

    /** Where janitors are killed. Their passes write the entry; a worker's first pass does not, if it takes less than a second. */
    static final List<CrashCase> JANITORS = List.of(
            new CrashCase(CrashPoint.AFTER_FENCE, 1),
            new CrashCase(CrashPoint.AFTER_TAKE_OVER, 1),
            new CrashCase(CrashPoint.BEFORE_PROGRESS, 1),
            new CrashCase(CrashPoint.AFTER_PROGRESS, 1),
            new CrashCase(CrashPoint.ROLLING_FORWARD, 2),
            new CrashCase(CrashPoint.BEFORE_RECLAIM, 1),
            new CrashCase(CrashPoint.BEFORE_RETRY, 1));

    /** Where workers freeze: before each kind of write that could do harm late. */
    static final List<CrashCase> FROZEN = List.of(
            new CrashCase(CrashPoint.AFTER_COMMIT, 1),
            new CrashCase(CrashPoint.BEFORE_REMOVAL, 1),
            new CrashCase(CrashPoint.BEFORE_MOVE, 2),
            new CrashCase(CrashPoint.WITHIN_MOVE, 2),
            new CrashCase(CrashPoint.BETWEEN_PAGES, 2),
            new CrashCase(CrashPoint.BEFORE_PROOF, 1),
            new CrashCase(CrashPoint.BEFORE_DONE, 1),
            new CrashCase(CrashPoint.BEFORE_RELEASE, 1));

    /** Returns the cases at these points; with {@code -Drepeat=1}, which {@code -Pfull} sets, all cases. */
    static Stream<CrashCase> of(List<CrashCase> cases, CrashPoint... byDefault) {
        List<CrashPoint> points = List.of(byDefault);
        return cases.stream().filter(CrashCase::isReached).filter(c -> Series.WHOLE || points.contains(c.point()));
    }

    /** A refused attempt releases its hold only if one of its two tables granted it. A whole namespace has one lock, in one table. */
    private boolean isReached() {
        return !isOfRefused() || Tree.GRANULARITY != Granularity.GLOBAL;
    }

    /** Whether the rename must replace something to come by. */
    boolean isOfReplacing() {
        return point == CrashPoint.BEFORE_REMOVAL || point == CrashPoint.AFTER_REMOVAL;
    }

    /** Whether the rename must be refused a lock to come by. */
    boolean isOfRefused() {
        return point == CrashPoint.BEFORE_GIVE_BACK || point == CrashPoint.AFTER_GIVE_BACK;
    }

    /**
     * Returns whether a rename that locks each document comes by this point before its commit: it reads all pages to lock what
     * they show.
     */
    boolean isInLocking() {
        boolean readsPages = point == CrashPoint.BETWEEN_PAGES || point == CrashPoint.BEFORE_PROOF;
        return readsPages && Tree.GRANULARITY == Granularity.DOCUMENT;
    }

    /** Returns whether the rename is decided there and its end is not. */
    boolean isOfMoving() {
        return point.compareTo(CrashPoint.AFTER_COMMIT) >= 0
                && point.compareTo(CrashPoint.BEFORE_DONE) <= 0
                && !isInLocking();
    }

    /** Where a worker must have died for a janitor to come by. */
    CrashPoint workers() {
        return point == CrashPoint.BEFORE_RETRY ? CrashPoint.AFTER_PREPARE : CrashPoint.AFTER_COMMIT;
    }

    /** As the setting has it. */
    @Override
    public String toString() {
        return point + ":" + nth;
    }
}
