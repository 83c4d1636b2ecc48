package org.treerename.simulation;

import java.util.EnumMap;
import java.util.Map;

/** Counts how often each event happened in a run. */
public final class Tally {

    private final Map<Happening, Long> counts = new EnumMap<>(Happening.class);

    void count(Happening happening) {
        counts.merge(happening, 1L, Long::sum);
    }

    public long of(Happening happening) {
        return counts.getOrDefault(happening, 0L);
    }

    /** Adds one to the count of each event that another tally has counted at least once. */
    void addPresence(Tally other) {
        other.counts.keySet().forEach(this::count);
    }

    void add(Tally other) {
        other.counts.forEach((happening, count) -> counts.merge(happening, count, Long::sum));
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
