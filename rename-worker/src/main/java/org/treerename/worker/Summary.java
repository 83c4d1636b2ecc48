package org.treerename.worker;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.treerename.runtime.Time;

/** Counts the requests that end, for one log line a second. One thread calls it. */
final class Summary {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Time time;
    private final Map<RecordResult, Integer> ended = new EnumMap<>(RecordResult.class);
    private String slowest = "";
    private long slowestNanos = -1;

    /** When the first of them has ended. */
    private long sinceNanos;

    Summary(Time time) {
        this.time = time;
    }

    /**
     * Counts one.
     *
     * @param request its id, or the place of its record
     * @param tookNanos from its begin to its end
     */
    void ended(String request, RecordResult result, long tookNanos) {
        if (ended.isEmpty()) {
            sinceNanos = time.nanos();
        }
        ended.merge(result, 1, Integer::sum);
        if (tookNanos > slowestNanos) {
            slowest = request;
            slowestNanos = tookNanos;
        }
    }

    /** Returns the line about what has ended, a second after the first of it, and begins anew. */
    Optional<String> lineIfDue(LoopReading reading) {
        return time.nanos() - sinceNanos < EVERY.toNanos() ? Optional.empty() : line(reading);
    }

    /** Returns the line about what has ended, if anything has, and begins anew. */
    Optional<String> line(LoopReading reading) {
        if (ended.isEmpty()) {
            return Optional.empty();
        }
        int all = ended.values().stream().mapToInt(Integer::intValue).sum();
        String results = ended.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey().words())
                .collect(Collectors.joining(", "));
        String line = String.format(
                Locale.ROOT,
                "%d ended in %.1f s: %s; %d run, %d wait; the slowest, %s, took %d ms",
                all,
                (time.nanos() - sinceNanos) / 1e9,
                results,
                reading.running(),
                reading.waiting(),
                slowest,
                slowestNanos / 1_000_000);
        ended.clear();
        slowestNanos = -1;
        return Optional.of(line);
    }
}
