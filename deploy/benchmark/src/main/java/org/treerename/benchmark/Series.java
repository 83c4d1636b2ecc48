package org.treerename.benchmark;

import java.util.List;

/**
 * What one side has done.
 *
 * @param warmUps the figures that are shown and do not count
 * @param rounds the figures that count, one for each round
 */
record Series(String side, List<Double> warmUps, List<Double> rounds) {

    Series {
        warmUps = List.copyOf(warmUps);
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException(side + " has no round that counts");
        }
        for (double figure : rounds) {
            if (!Double.isFinite(figure) || figure < 0) {
                throw new IllegalArgumentException(side + ": expected figures from 0 on, found " + rounds);
            }
        }
    }

    /** Figures that all count. */
    static Series of(String side, Double... rounds) {
        return new Series(side, List.of(), List.of(rounds));
    }

    Spread spread() {
        return Spread.of(rounds);
    }
}
