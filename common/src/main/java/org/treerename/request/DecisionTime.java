package org.treerename.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The times of the request and of the commit of one rename. The documents of the rename move after the commit.
 *
 * @param requestedAt the time at which Kafka appended the request
 * @param committedAt the time of the commit, by the clock of the process that committed the rename
 */
public record DecisionTime(Instant requestedAt, Instant committedAt) {

    /** Returns the two times of an outcome; empty if the rename ended without a commit. */
    public static Optional<DecisionTime> of(Outcome outcome) {
        return Optional.ofNullable(outcome.committedAt())
                .map(committedAt -> new DecisionTime(outcome.requestedAt(), committedAt));
    }

    /**
     * Returns the time from the request to the commit. The two times may come from the clocks of two machines, so the
     * method returns zero instead of a negative time.
     */
    public Duration taken() {
        Duration taken = Duration.between(requestedAt, committedAt);
        return taken.isNegative() ? Duration.ZERO : taken;
    }
}
