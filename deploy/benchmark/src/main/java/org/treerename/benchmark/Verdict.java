package org.treerename.benchmark;

import java.util.Optional;

/**
 * What became of a goal.
 *
 * @param goal in words
 * @param ratio what was reached, where the goal is a ratio
 * @param figure what was reached, as a bare number: the ratio of the medians, or the median
 * @param target what was to be reached
 */
record Verdict(String goal, Optional<Ratio> ratio, double figure, double target, Standing standing) {

    enum Standing {
        REACHED,
        MISSED,
        /** The condition under which the goal counts was not met in this run. */
        DOES_NOT_COUNT
    }
}
