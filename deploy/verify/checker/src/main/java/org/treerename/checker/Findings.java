package org.treerename.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the violations of a run. Returns the first violations of each point, and the number of further violations.
 * Only one thread calls this class.
 */
final class Findings {

    /** The maximum number of returned violations of one point. */
    static final int MOST_REPORTED = 20;

    private final Map<Integer, List<Violation>> byPoint = new TreeMap<>();

    void add(int point, String words) {
        byPoint.computeIfAbsent(point, none -> new ArrayList<>()).add(new Violation(point, words));
    }

    List<Violation> reported() {
        List<Violation> reported = new ArrayList<>();
        byPoint.forEach((point, violations) -> {
            reported.addAll(violations.subList(0, Math.min(MOST_REPORTED, violations.size())));
            if (violations.size() > MOST_REPORTED) {
                reported.add(new Violation(point, "and " + (violations.size() - MOST_REPORTED) + " more"));
            }
        });
        return List.copyOf(reported);
    }
}
