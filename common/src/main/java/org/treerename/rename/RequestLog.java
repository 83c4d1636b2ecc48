package org.treerename.rename;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The log that requests come from. Each method throws {@link org.treerename.store.NoAnswerException} if the log does not answer. */
public interface RequestLog {

    /** Returns how long the log keeps a request at least; empty if for ever. */
    Optional<Duration> retention();

    /** Returns when the youngest request was appended, by the log's own clock; empty if the log holds none. */
    Optional<Instant> youngest();

    /**
     * Returns the committed offset of each partition, by {@link RecordPosition#topicPartition}: the workers have finished every request
     * before it. A partition without a committed offset is left out.
     */
    Map<String, Long> committed();
}
