package org.treerename.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.request.RecordPosition;

/**
 * Records of the same request that were delivered after the first record. The client sent the request more than once
 * with the same id.
 *
 * @param places the position of the last record in each partition
 * @param lastAppendedAt the time at which Kafka appended the youngest of these records; null if there is none
 */
public record Repeats(List<RecordPosition> places, @Nullable Instant lastAppendedAt) {
    public static final Repeats NONE = new Repeats(List.of(), null);

    public Repeats {
        places = List.copyOf(places);
    }

    Repeats and(Delivery delivery) {
        RecordPosition place = delivery.place();
        List<RecordPosition> next = new ArrayList<>(places);
        next.removeIf(p -> p.topicPartition().equals(place.topicPartition()) && p.isCoveredBy(place));
        if (next.stream().noneMatch(p -> p.topicPartition().equals(place.topicPartition()))) {
            next.add(place);
        }
        boolean isYoungest = lastAppendedAt == null || delivery.appendedAt().isAfter(lastAppendedAt);
        return new Repeats(next, isYoungest ? delivery.appendedAt() : lastAppendedAt);
    }

    boolean isBefore(Instant limit) {
        return lastAppendedAt == null || lastAppendedAt.isBefore(limit);
    }
}
