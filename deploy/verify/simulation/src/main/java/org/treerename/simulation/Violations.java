package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import org.treerename.checker.Violation;

/** Collects the first violations of a run as texts, and ignores further violations. */
final class Violations {

    private static final int KEPT = 10;

    private final List<String> found = new ArrayList<>();

    void add(Point point, String words) {
        if (found.size() < KEPT) {
            found.add("point " + point.number() + ": " + words);
        }
    }

    void add(Violation violation) {
        if (found.size() < KEPT) {
            found.add(violation.toString());
        }
    }

    boolean any() {
        return !found.isEmpty();
    }

    List<String> found() {
        return List.copyOf(found);
    }
}
