package org.treerename.overview;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.treerename.rename.JournalEntry.Progress;

/**
 * How far a rename is.
 *
 * @param documentsPerSecond as this observer has seen it move; empty where it has not been seen to move
 */
public record UnderWay(OwnedEntry rename, OptionalDouble documentsPerSecond) {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    /** About how long it goes on moving; empty where nothing can be said. */
    public Optional<Duration> left() {
        Progress progress = rename.entry().progress();
        long rest = Math.max(0, progress.expected() - progress.moved());
        return documentsPerSecond.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) (rest / documentsPerSecond.getAsDouble() * MILLIS_PER_SECOND)));
    }
}
