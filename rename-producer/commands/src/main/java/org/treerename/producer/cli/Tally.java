package org.treerename.producer.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.treerename.request.Outcome;
import org.treerename.request.Status;

/**
 * Counts the results of the lines of a batch. The memory use does not depend on the number of lines. Any thread may
 * call this class.
 */
final class Tally {

    /** The largest number of failures that are kept with details. */
    static final int MAX_FAILURES = 100;

    /** A request that did not complete. */
    record Failure(long line, Outcome outcome) {}

    /**
     * The results that were counted until one moment.
     *
     * @param sent the number of lines whose requests were sent, in this run or in an earlier run
     * @param parked the number of lines whose renames were parked in this run and have no outcome yet
     * @param byReason the number of outcomes for each reason; the key is the published name of the reason
     * @param failures the first requests that did not complete, at most {@link #MAX_FAILURES}
     */
    record Count(
            long sent, long parked, Map<Status, Long> byStatus, Map<String, Long> byReason, List<Failure> failures) {

        long of(Status status) {
            return byStatus.getOrDefault(status, 0L);
        }

        /** Returns the number of lines with an outcome. */
        long ended() {
            return byStatus.values().stream().mapToLong(Long::longValue).sum();
        }

        long notDone() {
            return ended() - of(Status.COMPLETED);
        }

        /** Returns the number of lines that were sent and have no outcome yet. Parked lines are open. */
        long open() {
            return sent - ended();
        }

        /** Returns whether a line has no outcome and is not parked. */
        boolean isAwaited() {
            return open() > parked;
        }
    }

    private final Map<Status, Long> byStatus = new EnumMap<>(Status.class);
    private final Map<String, Long> byReason = new TreeMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private long sent;
    private long parked;
    private long everParked;

    synchronized void sent() {
        sent++;
    }

    /** Counts a parked line. Returns the number of lines that were ever counted as parked. */
    synchronized long parked() {
        parked++;
        return ++everParked;
    }

    /**
     * Counts a line that has ended.
     *
     * @param wasParked whether the line is counted as parked
     */
    synchronized void ended(long line, Outcome outcome, boolean wasParked) {
        parked -= wasParked ? 1 : 0;
        byStatus.merge(outcome.status(), 1L, Long::sum);
        String reason = outcome.publishedReason();
        if (reason != null) {
            byReason.merge(reason, 1L, Long::sum);
        }
        if (outcome.status() != Status.COMPLETED && failures.size() < MAX_FAILURES) {
            failures.add(new Failure(line, outcome));
        }
    }

    synchronized Count count() {
        return new Count(sent, parked, Map.copyOf(byStatus), new TreeMap<>(byReason), List.copyOf(failures));
    }
}
