package org.treerename.benchmark;

import java.util.List;

/**
 * The figures of one side. A figure may be negative, because it may be the difference of two times.
 *
 * @param warmUps the figures of the warm-up rounds; reports show these figures, but goals do not use them
 * @param rounds the figures of the measured rounds, one for each round
 */
record Series(String side, List<Double> warmUps, List<Double> rounds) {

    Series {
        warmUps = List.copyOf(warmUps);
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException(side + ": expected at least one measured round, found none");
        }
        for (double figure : rounds) {
            if (!Double.isFinite(figure)) {
                throw new IllegalArgumentException(side + ": expected finite figures, found " + rounds);
            }
        }
    }

    /** Returns a series without warm-up rounds. */
    static Series of(String side, Double... rounds) {
        return new Series(side, List.of(), List.of(rounds));
    }

    Spread spread() {
        return Spread.of(rounds);
    }
}
