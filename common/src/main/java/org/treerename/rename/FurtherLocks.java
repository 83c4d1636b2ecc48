package org.treerename.rename;

import java.time.Duration;
import java.util.SortedMap;
import org.treerename.journal.OwnEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;

/** The locks that an attempt acquires after its lock set. The paths of these locks are not known in advance. */
public interface FurtherLocks {

    /** The implementation for an attempt that needs no further locks. */
    FurtherLocks NONE = (own, hold) -> new Taken.All();

    /** The result of the acquisition: whether all further locks are held, or the reason why not. */
    sealed interface Taken {

        /** All further locks are held. */
        record All() implements Taken {}

        /**
         * Other requests hold, or claim, some of the further locks.
         *
         * @param parts the locks of the tables that refused
         * @param took the time from the request to the answer
         */
        record Refused(SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, Duration took) implements Taken {}

        /** The process must stop. */
        record Stopped() implements Taken {}

        /** Elasticsearch refuses to read the paths to lock. */
        record Unreadable(String why) implements Taken {}

        /** This process no longer owns the attempt's entry, or the entry has changed. */
        record NotOurs() implements Taken {}
    }

    /**
     * Acquires the further locks under the same hold as the lock set. After any result, some of these locks may be
     * held.
     *
     * @param own the attempt's entry
     */
    Taken take(OwnEntry own, Hold hold);
}
