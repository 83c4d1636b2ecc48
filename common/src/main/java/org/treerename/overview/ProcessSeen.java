package org.treerename.overview;

import java.time.Duration;
import org.treerename.process.ProcessDocument;

/**
 * A process as one observer sees it. No two wall clocks are compared, so an observer knows no age of a heartbeat that is older
 * than its own first look.
 *
 * @param still how long this observer has seen the heartbeat stand still; zero at the first look, and of one that has ended
 * @param carries how many renames, and holds of writers, the journal says it carries
 */
public record ProcessSeen(ProcessDocument document, Sign sign, Duration still, long carries) {

    /** What its heartbeat says. */
    public enum Sign {
        /** It was seen to move, and has not stood still for a lease since. */
        BEATING,
        /** It was not seen to move, and was not watched for a lease. */
        UNSURE,
        /** It has stood still for a lease: a janitor who has seen the same fences it. */
        SILENT,
        /** It is fenced or has stopped. */
        ENDED
    }

    /** Whether longer watching would tell no more of it. */
    boolean isKnown() {
        return sign != Sign.UNSURE;
    }
}
