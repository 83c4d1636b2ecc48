package org.treerename.benchmark;

import java.util.Optional;

/**
 * The result of one goal in a run, with the measured number and the required number.
 *
 * @param goal the text of the goal
 * @param ratio the measured ratio, if the goal is a ratio
 * @param figure the measured number: the ratio of the medians, or the median
 * @param target the number that the goal requires
 */
record Verdict(String goal, Optional<Ratio> ratio, double figure, double target, State state) {

    enum State {
        REACHED,
        MISSED,
        /** The goal has a condition, and this run did not meet the condition. */
        DOES_NOT_COUNT
    }
}
