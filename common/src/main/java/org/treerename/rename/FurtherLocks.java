package org.treerename.rename;

import java.time.Duration;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;

/** What an attempt locks under its lock set, once it has that: which paths these are is only known then. */
interface FurtherLocks {

    /** For an attempt whose lock set is all there is. */
    FurtherLocks NONE = (own, hold) -> new Taken.All();

    /** How it ended. */
    sealed interface Taken {

        record All() implements Taken {}

        /** Others hold, or claim, one of these locks. The answer took so long. */
        record Refused(LockSet locks, Duration took) implements Taken {}

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
