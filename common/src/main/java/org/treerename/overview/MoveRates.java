package org.treerename.overview;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Computes the recent rate of each rename, in documents per second, from repeated readings of the number of moved
 * documents. Only one thread may call this class.
 */
public final class MoveRates {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final double NANOS_PER_SECOND = 1e9;

    /** The number of moved documents of one rename at one time. */
    private record Reading(long moved, long nanos) {}

    private Map<String, Deque<Reading>> readings = new HashMap<>();

    /**
     * Adds a reading of several renames, and returns the rate of each rename in documents per second. A rename has a
     * rate only if the previous reading also contained the rename, and if documents have moved within the interval of
     * the rate.
     *
     * @param moved the number of moved documents of each rename, by its request id
     * @param nowNanos the time of the reading, on the monotonic clock
     */
    public Map<String, OptionalDouble> read(Map<String, Long> moved, long nowNanos) {
        Map<String, Deque<Reading>> next = new HashMap<>();
        Map<String, OptionalDouble> rates = new HashMap<>();
        moved.forEach((id, count) -> {
            Deque<Reading> seen = readings.getOrDefault(id, new ArrayDeque<>());
            next.put(id, seen);
            rates.put(id, rate(new Reading(count, nowNanos), seen));
        });
        readings = next;
        return rates;
    }

    private static OptionalDouble rate(Reading now, Deque<Reading> seen) {
        if (!seen.isEmpty() && seen.getLast().moved() > now.moved()) {
            seen.clear();
        }
        // keep at most one reading that is at least as old as the interval of the rate
        while (seen.size() > 1 && now.nanos() - secondOf(seen).nanos() >= INTERVAL.toNanos()) {
            seen.removeFirst();
        }
        seen.addLast(now);
        Reading first = seen.getFirst();
        long moved = now.moved() - first.moved();
        return moved == 0 || now.nanos() == first.nanos()
                ? OptionalDouble.empty()
                : OptionalDouble.of(moved / ((now.nanos() - first.nanos()) / NANOS_PER_SECOND));
    }

    private static Reading secondOf(Deque<Reading> seen) {
        var readings = seen.iterator();
        var unused = readings.next();
        return readings.next();
    }
}
