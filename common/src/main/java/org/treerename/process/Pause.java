package org.treerename.process;

import java.time.Instant;

/**
 * An order to all workers to pause. While the order exists, the workers start no new request, but finish the requests
 * that they have started.
 *
 * @param since the start of the pause; for people
 * @param by the operator who ordered the pause, and perhaps the reason; for people
 */
public record Pause(Instant since, String by) {

    @Override
    public String toString() {
        return "paused since " + since + " by " + by;
    }
}
