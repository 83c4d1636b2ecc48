package org.treerename.rename;

import org.treerename.journal.JournalStep;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.process.ProcessContext;

/**
 * Releases the holds and claims of a request. Any thread may call this class.
 *
 * <ol>
 *   <li>Release the holds by hold id, and the claims by request id. Repeat this until the store answers. If the process
 *       dies here, the next owner of the entry, or a sweep of a janitor, releases these holds and claims again.
 *   <li>Notify the lock watch. Requests of this process that wait for the locks then make their next attempt at once.
 *       If the process dies here, these requests end with it.
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

    /**
     * Releases an undecided request for a retry: the next delivery begins the request again. This process must own the
     * entry.
     *
     * <ol>
     *   <li>Release all holds and claims of the request. If the process dies here, the entry is still PREPARED, and a
     *       janitor takes both steps again.
     *   <li>Write RETRY. If the process dies after the write, nothing is left to do.
     * </ol>
     *
     * The release precedes the write of RETRY for two reasons. After RETRY, no process owns the entry, so no process
     * would release the remaining locks. After RETRY, a late release could remove the claims of the next attempt.
     *
     * @return OURS if RETRY was acknowledged
     */
    public OwnedResult releaseForRetry(OwnEntry own, LockSet set) {
        release(own.entry().requestId(), set, own.entry().releaseOfAll());
        return own.write(JournalStep.RETRY, own.entry().released());
    }

    public void release(String requestId, LockSet set, Release release) {
        context.retryUntilAnswered(
                "the release of the locks of request " + requestId, () -> locks.release(set, release));
        watch.released(set.parts().keySet(), release);
    }
}
