package org.treerename.benchmark;

import java.util.List;

/** The minimum, the median and the maximum of several figures. */
record Spread(double min, double median, double max) {

    static Spread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("expected at least one figure, found none");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(sorted.getFirst(), median, sorted.getLast());
    }
}
