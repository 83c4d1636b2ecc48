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
 * How long it takes from the end of one rename to the commit of the next one that waited for its locks, as far as outcomes
 * show it. Times are in milliseconds, as in the outcomes.
 */
final class HandOver {

    private HandOver() {}

    /** A rename that was committed, and its outcome. */
    record Done(Step step, Instant requestedAt, Instant committedAt, Instant finishedAt) {}

    /**
     * Returns the gaps in milliseconds: of each pair of renames that followed each other in one directory, of which one at
     * least moved the directory itself, and of which the later was requested before the earlier had ended.
     *
     * @throws IllegalStateException if the later was committed before the earlier had ended: then both held the same lock
     */
    static List<Double> gaps(List<Done> all) {
        Map<Integer, List<Done>> byDirectory = new TreeMap<>();
        all.forEach(done -> byDirectory
                .computeIfAbsent(done.step().directory(), directory -> new ArrayList<>())
                .add(done));
        List<Double> gaps = new ArrayList<>();
        for (List<Done> ofOne : byDirectory.values()) {
            ofOne.sort(Comparator.comparing(Done::committedAt));
            for (int i = 1; i < ofOne.size(); i++) {
                Done later = ofOne.get(i);
                Done earlier = ofOne.get(i - 1);
                boolean exclude = later.step().ofDirectory() || earlier.step().ofDirectory();
                if (exclude && later.committedAt().isBefore(earlier.finishedAt())) {
                    throw new IllegalStateException(later + " was committed before " + earlier + " had ended");
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
