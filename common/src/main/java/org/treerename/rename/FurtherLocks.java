package org.treerename.rename;

import java.time.Duration;
import java.util.SortedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.path.TreePath;

/** What an attempt locks under its lock set, once it has that: which paths these are is only known then. */
interface FurtherLocks {

    /** For an attempt whose lock set is all there is. */
    FurtherLocks NONE = (own, hold) -> new Taken.All();

    /** How it ended. */
    sealed interface Taken {

        record All() implements Taken {}

        /**
         * Other requests hold, or claim, some of these locks.
         *
         * @param parts the locks of the tables that refused
         * @param took the time until the answer
         */
        record Refused(SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, Duration took) implements Taken {}

        /** The process is to stop. */
        record Stopped() implements Taken {}

        /** Elasticsearch refuses to tell which they are. */
        record Unreadable(String why) implements Taken {}

        /** The attempt's entry is not ours any more, as it was. */
        record NotOurs() implements Taken {}
    }

    /**
     * Takes them, under the same hold as the lock set; whatever comes of it, some may be held afterwards.
     *
     * @param own the attempt's entry
     */
    Taken take(OwnEntry own, Hold hold);
}
