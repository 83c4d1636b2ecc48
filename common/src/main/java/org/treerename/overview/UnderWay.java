package org.treerename.overview;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.treerename.journal.Progress;

/**
 * The progress of a rename.
 *
 * @param documentsPerSecond the measured rate; empty if no progress was observed
 */
public record UnderWay(OwnedEntry rename, OptionalDouble documentsPerSecond) {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    /** Returns the estimated time until the move ends; empty if the rate is not known. */
    public Optional<Duration> left() {
        Progress progress = rename.entry().progress();
        long rest = Math.max(0, progress.expected() - progress.moved());
        return documentsPerSecond.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (rest / documentsPerSecond.getAsDouble() * MILLIS_PER_SECOND)));
    }
}
