package org.treerename.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The log that contains the requests. Each method throws {@link org.treerename.store.NoAnswerException} if the log does
 * not answer.
 */
public interface RequestLog {

    /** Returns the minimum time for which the log keeps a request; empty if it keeps requests for ever. */
    Optional<Duration> retention();

    /**
     * Returns whether the workers have finished every request that was appended before the given time, by the log's own
     * clock.
     */
    boolean isFinishedBefore(Instant time);
}
