package org.treerename.worker;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.treerename.runtime.Time;

/**
 * Counts the requests that end, and returns at most one log line per second about these requests. Only one thread calls
 * this class.
 */
final class Summary {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Time time;
    private final Map<RecordResult, Integer> ended = new EnumMap<>(RecordResult.class);
    private String slowest = "";
    private long slowestNanos = -1;

    /** The time at which the first of the counted requests ended. */
    private long sinceNanos;

    Summary(Time time) {
        this.time = time;
    }

    /**
     * Counts one request.
     *
     * @param request the id of the request, or the position of its record
     * @param tookNanos the time from the beginning to the end of its processing
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

    /**
     * If a second has passed since the first counted request ended, returns the log line and resets the counts.
     * Otherwise returns empty.
     */
    Optional<String> lineIfDue(LoopReading reading) {
        return time.nanos() - sinceNanos < EVERY.toNanos() ? Optional.empty() : line(reading);
    }

    /** Returns the log line about the counted requests, and resets the counts. Returns empty if the counts are 0. */
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
                "requests ended in %.1f s: %d (%s); %d in progress, %d waiting; slowest: %s, %d ms",
                (time.nanos() - sinceNanos) / 1e9,
                all,
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
