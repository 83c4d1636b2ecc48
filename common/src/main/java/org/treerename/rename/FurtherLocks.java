package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument.Blocker;

/** What an attempt locks under its lock set, once it has that: which paths these are is only known then. */
interface FurtherLocks {

    /** For an attempt whose lock set is all there is. */
    FurtherLocks NONE = (own, hold) -> new Taken.All();

    /** How it ended. */
    sealed interface Taken {

        record All() implements Taken {}

        /** Others hold, or claim, one of them. The answers from which that is known took so long. */
        record Refused(List<Blocker> blockers, Duration took) implements Taken {}

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
