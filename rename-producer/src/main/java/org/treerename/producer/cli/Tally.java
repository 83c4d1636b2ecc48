package org.treerename.producer.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.treerename.rename.Outcome;
import org.treerename.rename.Reason;
import org.treerename.rename.Status;

/** What has become of the lines of a batch so far. Any thread may call it; memory does not grow with the batch. */
final class Tally {

    /** How many of those that were not done are told one by one. */
    static final int TOLD = 100;

    /**
     * One that was not done.
     *
     * @param outcome how it ended
     */
    record Failure(long line, Outcome outcome) {}

    /**
     * What there was at one moment.
     *
     * @param sent lines that were handed to the library
     * @param byReason how many outcomes give a reason, by the word that is published
     * @param failures the first that were not done, {@link #TOLD} at most
     */
    record Count(long sent, Map<Status, Long> byStatus, Map<String, Long> byReason, List<Failure> failures) {

        long of(Status status) {
            return byStatus.getOrDefault(status, 0L);
        }

        /** Those that have an outcome. */
        long ended() {
            return byStatus.values().stream().mapToLong(Long::longValue).sum();
        }

        long notDone() {
            return ended() - of(Status.COMPLETED);
        }

        /** Those that were sent and of which no outcome was heard. */
        long open() {
            return sent - ended();
        }
    }

    private final Map<Status, Long> byStatus = new EnumMap<>(Status.class);
    private final Map<String, Long> byReason = new TreeMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private long sent;

    synchronized void sent() {
        sent++;
    }

    synchronized void ended(long line, Outcome outcome) {
        byStatus.merge(outcome.status(), 1L, Long::sum);
        Reason reason = outcome.reason();
        if (reason != null) {
            byReason.merge(reason.published(), 1L, Long::sum);
        }
        if (outcome.status() != Status.COMPLETED && failures.size() < TOLD) {
            failures.add(new Failure(line, outcome));
        }
    }

    synchronized Count count() {
        return new Count(sent, Map.copyOf(byStatus), new TreeMap<>(byReason), List.copyOf(failures));
    }
}
