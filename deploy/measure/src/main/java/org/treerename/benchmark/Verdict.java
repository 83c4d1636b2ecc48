package org.treerename.benchmark;

import java.util.Optional;

/**
 * Whether a run has reached one goal, with the measured number and the required number.
 *
 * @param goal the text of the goal
 * @param ratio the measured ratio, if the goal is a ratio
 * @param figure the measured number: for a ratio, the ratio of the medians; otherwise the median
 * @param target the number that the goal requires
 */
record Verdict(String goal, Optional<Ratio> ratio, double figure, double target, State state) {

    enum State {
        REACHED,
        MISSED,
        /** The goal counts only under a condition, and this run did not meet this condition. */
        DOES_NOT_COUNT
    }
}
