package org.treerename.rename;

import java.time.Duration;
import java.util.Optional;

/** The log that requests come from. */
public interface RequestLog {

    /**
     * How long it keeps a request at least; empty if for ever.
     *
     * @throws org.treerename.store.NoAnswerException if it does not say
     */
    Optional<Duration> retention();
}
