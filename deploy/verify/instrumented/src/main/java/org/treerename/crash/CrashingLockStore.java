package org.treerename.crash;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;

/**
 * Calls {@link CrashPoints#reach} before and after each release. The release of an attempt's hold and the release of
 * all holds and claims of a request have different points. A janitor has one more point before each release.
 */
final class CrashingLockStore implements LockStore {

    private final LockStore locks;
    private final CrashPoints points;
    private final boolean reclaiming;

    /**
     * @param reclaiming whether the process is a janitor
     */
    CrashingLockStore(LockStore locks, CrashPoints points, boolean reclaiming) {
        this.locks = locks;
        this.points = points;
        this.reclaiming = reclaiming;
    }

    @Override
    public void release(LockSet set, Release release) {
        around(release, () -> locks.release(set, release));
    }

    @Override
    public void release(Collection<LockTable.Id> tables, Release release) {
        around(release, () -> locks.release(tables, release));
    }

    @Override
    public void releaseFromDocuments(String namespace, Release release) {
        around(release, () -> locks.releaseFromDocuments(namespace, release));
    }

    private void around(Release release, Runnable releasing) {
        if (reclaiming) {
            points.reach(CrashPoint.BEFORE_RECLAIM);
        }
        boolean ofRequest = release.claimOf().isPresent();
        points.reach(ofRequest ? CrashPoint.BEFORE_RELEASE : CrashPoint.BEFORE_ATTEMPT_RELEASE);
        releasing.run();
        points.reach(ofRequest ? CrashPoint.AFTER_RELEASE : CrashPoint.AFTER_ATTEMPT_RELEASE);
    }

    @Override
    public void each(Consumer<LockTable> look) {
        locks.each(look);
    }

    @Override
    public List<String> contradictions() {
        return locks.contradictions();
    }

    @Override
    public List<LockTable> read(Collection<LockTable.Id> tables) {
        return locks.read(tables);
    }
}
