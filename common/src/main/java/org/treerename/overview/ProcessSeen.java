package org.treerename.overview;

import java.time.Duration;
import org.treerename.process.ProcessDocument;

/**
 * The state of a process as one observer sees it. An observer never compares the wall clocks of two machines. So an
 * observer does not know the age of a heartbeat that was sent before the observer's first read.
 *
 * @param still the time for which this observer has seen no change of the heartbeat; zero at the first read, and for a
 *     process that has ended
 * @param ownedRenames the number of renames and of writers' holds that the process owns in the journal
 */
public record ProcessSeen(ProcessDocument document, Sign sign, Duration still, long ownedRenames) {

    /** The state of the heartbeat, as far as this observer knows. */
    public enum Sign {
        /** The observer has seen a change of the heartbeat, and the last change was less than a lease ago. */
        BEATING,
        /** The heartbeat has not changed, and the observer has watched the heartbeat for less than a lease. */
        UNSURE,
        /** The heartbeat has not changed for a lease. A janitor that observes this silence fences the process. */
        SILENT,
        /** The process is fenced or has stopped. */
        ENDED
    }

    /**
     * Returns whether the state of the heartbeat is certain. If this state is certain, the observer need not wait
     * longer.
     */
    public boolean isKnown() {
        return sign != Sign.UNSURE;
    }
}
