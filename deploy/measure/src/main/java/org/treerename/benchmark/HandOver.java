package org.treerename.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.treerename.benchmark.ContendedLoad.Step;

/**
 * Calculates the times of hand-overs. At a hand-over, one rename ends, and the next rename acquires the same lock. The
 * time of a hand-over is the time from the end of the first rename to the commit of the next rename.
 */
final class HandOver {

    private HandOver() {}

    /** A committed rename. The times are from its outcome. */
    record Done(Step step, Instant requestedAt, Instant committedAt, Instant finishedAt) {}

    /**
     * Returns the times of all hand-overs, in milliseconds. A hand-over is between two consecutive renames in the same
     * directory that fulfil two conditions:
     * <ul>
     *   <li>At least one of the two renames moved the directory itself.
     *   <li>The later rename was requested before the end of the earlier rename.
     * </ul>
     *
     * @throws IllegalStateException if the later rename was committed before the end of the earlier rename, because
     *     then both renames held the same lock at the same time
     */
    static List<Double> gaps(List<Done> all) {
        Map<Integer, List<Done>> byDirectory = new TreeMap<>();
        all.forEach(done -> byDirectory
                .computeIfAbsent(done.step().directory(), directory -> new ArrayList<>())
                .add(done));
        List<Double> gaps = new ArrayList<>();
        for (List<Done> ofDirectory : byDirectory.values()) {
            ofDirectory.sort(Comparator.comparing(Done::committedAt));
            for (int i = 1; i < ofDirectory.size(); i++) {
                Done later = ofDirectory.get(i);
                Done earlier = ofDirectory.get(i - 1);
                boolean exclude = later.step().ofDirectory() || earlier.step().ofDirectory();
                if (exclude && later.committedAt().isBefore(earlier.finishedAt())) {
                    throw new IllegalStateException("two renames held the same lock at the same time: " + later
                            + " was committed before the end of " + earlier);
                }
                if (exclude && later.requestedAt().isBefore(earlier.finishedAt())) {
                    gaps.add((double) Duration.between(earlier.finishedAt(), later.committedAt())
                            .toMillis());
                }
            }
        }
        return gaps;
    }
}
