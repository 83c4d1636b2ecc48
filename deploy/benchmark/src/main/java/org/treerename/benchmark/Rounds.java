package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;

/**
 * Plays sides in turn, A B C A B C, so that whatever else goes on on the machine falls on all of them.
 *
 * @param count how many rounds count
 * @param warmUps how many are played before and do not
 */
record Rounds(int count, int warmUps, Progress progress) {

    Rounds {
        if (count < 1 || warmUps < 0) {
            throw new IllegalArgumentException(
                    "--rounds: at least 1, found " + count + " (and " + warmUps + " to warm up)");
        }
    }

    /** One side as it is played once; gives its figure. */
    interface Play {
        double once() throws Exception;
    }

    /**
     * One side.
     *
     * @param unit of its figure, for showing
     */
    record Side(String name, String unit, Play play) {}

    /** Figures of the sides, in the order of the sides. */
    List<Series> play(List<Side> sides) throws Exception {
        List<List<Double>> figures = sides.stream()
                .map(side -> (List<Double>) new ArrayList<Double>())
                .toList();
        for (int round = 1; round <= warmUps + count; round++) {
            String which = round <= warmUps ? "warm-up" : "round " + (round - warmUps) + " of " + count;
            for (int i = 0; i < sides.size(); i++) {
                Side side = sides.get(i);
                double figure = side.play().once();
                figures.get(i).add(figure);
                progress.tell(which + ": " + side.name() + ": " + Figure.text(figure) + " " + side.unit());
            }
        }
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            List<Double> all = figures.get(i);
            series.add(new Series(sides.get(i).name(), all.subList(0, warmUps), all.subList(warmUps, all.size())));
        }
        return series;
    }
}
