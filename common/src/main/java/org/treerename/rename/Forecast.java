package org.treerename.rename;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockTable.Blocker;

/**
 * What would become of a rename if it were asked now.
 *
 * @param documents that it would move, by concrete index
 * @param obstacles with which it would end, in the order in which the first is told
 * @param waits for whom it would wait
 * @param pace at which documents move; null where nothing can be told about the tree
 */
public record Forecast(
        SortedMap<String, Long> documents,
        List<Obstacle> obstacles,
        List<Wait> waits,
        @Nullable Pace pace) {

    /** Why it would end without a document moved, in the words of its outcome. */
    public record Obstacle(Status status, Reason reason, String message) {}

    /**
     * A hold or a claim that would refuse it.
     *
     * @param processId of the process that carries the request that holds or claims; empty where the journal knows none
     * @param processState what that process is: {@code live} as long as nobody has found it dead, {@code fenced}, {@code
     *     stopped}, or {@code unknown}
     * @param askedAt when the log took that request, or its writer asked
     */
    public record Wait(Blocker blocker, String processId, String processState, Instant askedAt) {}

    public Forecast {
        documents = new TreeMap<>(documents);
        obstacles = List.copyOf(obstacles);
        waits = List.copyOf(waits);
    }

    /** One of a request that would end before anything is looked up in its tree. */
    static Forecast refused(Obstacle obstacle) {
        return new Forecast(new TreeMap<>(), List.of(obstacle), List.of(), null);
    }

    /** Whether it would get its locks, and be decided, at once. */
    public boolean couldBegin() {
        return obstacles.isEmpty() && waits.isEmpty();
    }

    /** How many documents it would move. */
    public long total() {
        return documents.values().stream().mapToLong(Long::longValue).sum();
    }

    /** About how long the move would take once it has begun. */
    public Duration takes() {
        return pace == null ? Duration.ZERO : pace.of(total());
    }
}
