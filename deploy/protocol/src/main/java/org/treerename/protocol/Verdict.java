package org.treerename.protocol;

import java.util.List;

/** The result of TLC for one configuration. */
public sealed interface Verdict {

    /**
     * All properties hold in every reachable state.
     *
     * @param states the number of different states
     * @param depth the largest number of states on the shortest path to a state
     */
    record Holds(long states, int depth) implements Verdict {}

    /**
     * A property does not hold.
     *
     * @param property the first property that TLC found violated
     * @param steps the actions that lead to the violation
     */
    record Breaks(String property, List<String> steps) implements Verdict {
        public Breaks {
            steps = List.copyOf(steps);
        }
    }
}
