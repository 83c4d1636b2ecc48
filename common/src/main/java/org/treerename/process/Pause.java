package org.treerename.process;

import java.time.Instant;

/**
 * That all workers are to begin nothing new, for as long as it stands: what they have begun they bring to its end.
 *
 * @param since for people
 * @param by who wants it, and perhaps why; for people
 */
public record Pause(Instant since, String by) {

    @Override
    public String toString() {
        return "paused since " + since + " by " + by;
    }
}
