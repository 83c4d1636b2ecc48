package org.treerename.rename;

import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;

/**
 * Releases the holds and claims of a request. Any thread may call this class.
 *
 * <ol>
 *   <li>Release them by hold id and request id, until the store answers. If we die here, the next owner of the entry or
 *       a sweep releases them again.
 *   <li>Notify the lock watch, so that the requests of this process that wait for the locks make their next attempt at
 *       once. If we die here, they die as well.
 * </ol>
 */
public final class LockRelease {

    private final LockStore locks;
    private final LockWatch watch;
    private final ProcessContext context;

    public LockRelease(LockStore locks, LockWatch watch, ProcessContext context) {
        this.locks = locks;
        this.watch = watch;
        this.context = context;
    }

    public void release(String requestId, LockSet set, Release release) {
        context.retryUntilAnswered("the release of the locks of " + requestId, () -> locks.release(set, release));
        watch.released(set.parts().keySet(), release);
    }
}
