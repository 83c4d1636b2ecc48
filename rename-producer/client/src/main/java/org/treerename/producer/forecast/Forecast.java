package org.treerename.producer.forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.request.Reason;
import org.treerename.request.Status;

/**
 * The expected result of a rename if the rename were requested now.
 *
 * @param documents the number of documents that the rename would move, by concrete index
 * @param obstacles the reasons why the rename would end without a move; the outcome would contain the first reason
 * @param waits the holds and claims for which the rename would wait
 * @param pace the expected speed of the move; null if the tree could not be checked
 */
public record Forecast(
        SortedMap<String, Long> documents,
        List<Obstacle> obstacles,
        List<Wait> waits,
        @Nullable Pace pace) {

    /**
     * A reason why the rename would end before any document moves. The outcome would contain this reason and this
     * message.
     */
    public record Obstacle(Status status, Reason reason, String message) {}

    /**
     * A hold or a claim that would refuse the rename.
     *
     * @param processId the id of the process that owns the blocking request; empty if neither the journal nor the lock
     *     table contains this id
     * @param processState the state of this process: {@code live}, {@code fenced}, {@code stopped} or {@code unknown}.
     *     A dead process is {@code live} until a janitor detects its death
     * @param askedAt the time at which Kafka appended the blocking request to the log, or at which a writer requested
     *     the locks
     */
    public record Wait(Blocker blocker, String processId, String processState, Instant askedAt) {}

    public Forecast {
        documents = new TreeMap<>(documents);
        obstacles = List.copyOf(obstacles);
        waits = List.copyOf(waits);
    }

    /** Returns the forecast of a request that would end before its locks are checked. */
    static Forecast refused(Obstacle obstacle) {
        return new Forecast(new TreeMap<>(), List.of(obstacle), List.of(), null);
    }

    /** Returns whether the rename would acquire its locks and be decided at once. */
    public boolean couldBegin() {
        return obstacles.isEmpty() && waits.isEmpty();
    }

    /** Returns the number of documents that the rename would move. */
    public long total() {
        return documents.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the approximate time that the move would take. */
    public Duration takes() {
        return pace == null ? Duration.ZERO : pace.of(total());
    }
}
