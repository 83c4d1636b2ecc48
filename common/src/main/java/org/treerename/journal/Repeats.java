package org.treerename.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of the same request after the first one. The client sent the request more than once with the same id.
 *
 * @param areInLog whether one of these deliveries was a record in the log, and not a call that requests a direct rename
 * @param lastAppendedAt the time of the youngest of these deliveries; null if there is none
 */
public record Repeats(boolean areInLog, @Nullable Instant lastAppendedAt) {
    public static final Repeats NONE = new Repeats(false, null);

    Repeats and(Delivery delivery) {
        boolean isYoungest = lastAppendedAt == null || delivery.appendedAt().isAfter(lastAppendedAt);
        return new Repeats(
                areInLog || !delivery.place().isDirect(), isYoungest ? delivery.appendedAt() : lastAppendedAt);
    }

    boolean isBefore(Instant limit) {
        return lastAppendedAt == null || lastAppendedAt.isBefore(limit);
    }
}
