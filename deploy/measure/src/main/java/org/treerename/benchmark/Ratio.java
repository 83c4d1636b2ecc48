package org.treerename.benchmark;

import java.util.stream.IntStream;

/**
 * The ratio of the figures of two sides. The ratio is greater than 1 if the first side is better.
 *
 * @param ofMedians the ratio of the medians
 * @param lowest the lowest ratio in any round
 * @param highest the highest ratio in any round
 */
record Ratio(double ofMedians, double lowest, double highest) {

    /** Returns the ratio of two sides. Both sides must have been measured in the same rounds. */
    static Ratio of(Series side, Series against, Better better) {
        if (side.rounds().size() != against.rounds().size()) {
            throw new IllegalArgumentException(side + " and " + against + " must have figures of the same rounds");
        }
        Spread byRound = Spread.of(IntStream.range(0, side.rounds().size())
                .mapToObj(
                        i -> better.ratio(side.rounds().get(i), against.rounds().get(i)))
                .toList());
        return new Ratio(better.ratio(side.spread().median(), against.spread().median()), byRound.min(), byRound.max());
    }
}
