package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the sides of a comparison one after the other, and repeats this order in each round: A B C A B C. So if
 * another program uses the machine for a while, all sides are affected.
 *
 * @param count the number of measured rounds
 * @param warmUps the number of rounds before the measured rounds
 */
record Rounds(int count, int warmUps, Progress progress) {

    Rounds {
        if (count < 1 || warmUps < 0) {
            throw new IllegalArgumentException(
                    "--rounds must be at least 1, was " + count + "; warm-up rounds: " + warmUps);
        }
    }

    /** Measures a side once, and returns the only figure of this side. */
    interface Play {
        double once() throws Exception;
    }

    /** Measures a side once, and returns one figure for each measure, in the order of the measures. */
    interface Plays {
        List<Double> once() throws Exception;
    }

    /** The name and the unit of one figure. */
    record Measure(String name, String unit) {}

    /** One side of a comparison, and its measures. */
    record Side(List<Measure> measures, Plays plays) {

        /** Creates a side with one figure. The figure has the name of the side. */
        Side(String name, String unit, Play play) {
            this(List.of(new Measure(name, unit)), () -> List.of(play.once()));
        }

        private List<Double> play() throws Exception {
            List<Double> figures = plays.once();
            if (figures.size() != measures.size()) {
                throw new IllegalStateException("expected a figure for each of " + measures + ", found " + figures);
            }
            return figures;
        }
    }

    /**
     * Returns an instance with half the number of measured rounds (rounded up), and without warm-up rounds. Use this
     * method for sides with long measurements.
     */
    Rounds halved() {
        return new Rounds((count + 1) / 2, 0, progress);
    }

    /**
     * Measures all sides in all rounds. Returns one series for each measure, in the order of the sides and of their
     * measures.
     */
    List<Series> play(List<Side> sides) throws Exception {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        sides.forEach(side -> side.measures().forEach(measure -> {
            if (figures.put(measure.name(), new ArrayList<>()) != null) {
                throw new IllegalArgumentException(
                        "the names of measures must be different, found twice: " + measure.name());
            }
        }));
        for (int round = 1; round <= warmUps + count; round++) {
            String which = round <= warmUps ? "warm-up" : "round " + (round - warmUps) + " of " + count;
            for (Side side : sides) {
                List<Double> found = side.play();
                List<String> words = new ArrayList<>();
                for (int i = 0; i < found.size(); i++) {
                    Measure measure = side.measures().get(i);
                    figures.getOrDefault(measure.name(), List.of()).add(found.get(i));
                    words.add(measure.name() + ": " + Figure.text(found.get(i)) + " " + measure.unit());
                }
                progress.report(which + ": " + String.join("; ", words));
            }
        }
        return figures.entrySet().stream()
                .map(entry -> series(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Series series(String name, List<Double> all) {
        return new Series(name, all.subList(0, warmUps), all.subList(warmUps, all.size()));
    }
}
