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
 * The time from the end of one rename to the commit of the next rename that waited for the same lock. The times come
 * from the outcomes and are in milliseconds.
 */
final class HandOver {

    private HandOver() {}

    /** A committed rename, with the times from its outcome. */
    record Done(Step step, Instant requestedAt, Instant committedAt, Instant finishedAt) {}

    /**
     * Returns the gaps in milliseconds. A gap is the time from the end of a rename to the commit of the next rename in
     * the same directory. At least one of the two renames moved the directory itself. The later rename was requested
     * before the end of the earlier rename.
     *
     * @throws IllegalStateException if the later rename was committed before the end of the earlier rename, because
     *     then the two renames held the same lock
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
                    throw new IllegalStateException(later + " was committed before the end of " + earlier);
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
