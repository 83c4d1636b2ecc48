package org.treerename.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The log that contains the requests. Each method throws {@link org.treerename.store.NoAnswerException} if the log does
 * not answer.
 */
public interface RequestLog {

    /** Returns the minimum time for which the log keeps a request; empty if it keeps requests for ever. */
    Optional<Duration> retention();

    /**
     * Returns the time at which the youngest request was appended, by the log's own clock; empty if the log is empty.
     */
    Optional<Instant> youngest();

    /**
     * Returns whether the workers have finished every request that was appended before the given time, by the log's own
     * clock.
     */
    boolean isFinishedBefore(Instant time);

    /**
     * Returns the committed offset of each partition. The keys of the map are values of {@link
     * RecordPosition#topicPartition}. The workers have finished every request before the committed offset. A partition
     * without a committed offset is left out.
     */
    Map<String, Long> committed();
}
