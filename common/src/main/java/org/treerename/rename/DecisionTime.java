package org.treerename.rename;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a rename was decided, by its commit. Its documents follow.
 *
 * @param requestedAt the time stamp of the request in the log
 * @param committedAt the commit, by the clock of the process that wrote it
 */
public record DecisionTime(Instant requestedAt, Instant committedAt) {

    /** Reads it from an outcome; empty if the rename ended without a commit. */
    public static Optional<DecisionTime> of(Outcome outcome) {
        return Optional.ofNullable(outcome.committedAt())
                .map(committedAt -> new DecisionTime(outcome.requestedAt(), committedAt));
    }

    /** Returns how long the decision took. Two machines may have set the two clocks, so a negative length counts as zero. */
    public Duration taken() {
        Duration taken = Duration.between(requestedAt, committedAt);
        return taken.isNegative() ? Duration.ZERO : taken;
    }
}
