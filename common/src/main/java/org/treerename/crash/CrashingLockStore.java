package org.treerename.crash;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.Path;

/**
 * The points around the giving back of an attempt's hold, and around the release of all that a request has; a janitor's
 * point lies before both.
 */
final class CrashingLockStore implements LockStore {

    private final LockStore locks;
    private final CrashPoints points;
    private final boolean reclaiming;

    /**
     * @param reclaiming whether a janitor releases
     */
    CrashingLockStore(LockStore locks, CrashPoints points, boolean reclaiming) {
        this.locks = locks;
        this.points = points;
        this.reclaiming = reclaiming;
    }

    @Override
    public void release(LockSet set, Release release) {
        if (reclaiming) {
            points.reach(CrashPoint.BEFORE_RECLAIM);
        }
        boolean ofRequest = release.claimOf().isPresent();
        points.reach(ofRequest ? CrashPoint.BEFORE_RELEASE : CrashPoint.BEFORE_GIVE_BACK);
        locks.release(set, release);
        points.reach(ofRequest ? CrashPoint.AFTER_RELEASE : CrashPoint.AFTER_GIVE_BACK);
    }

    @Override
    public void each(Consumer<LockDocument> look) {
        locks.each(look);
    }

    @Override
    public List<String> contradictions() {
        return locks.contradictions();
    }

    @Override
    public Optional<LockDocument> read(String namespace, Path path) {
        return locks.read(namespace, path);
    }
}
