package org.treerename.protocol;

import java.util.List;

/** The result of TLC for one configuration: all properties hold, or one property does not hold. */
public sealed interface Verdict {

    /**
     * All properties hold in every reachable state.
     *
     * @param states the number of different states
     * @param depth the number of states on the longest of the shortest paths from the initial state to each state
     */
    record Holds(long states, int depth) implements Verdict {}

    /**
     * A property does not hold.
     *
     * @param property the first violated property that TLC found
     * @param steps the actions that lead to the violation
     */
    record Breaks(String property, List<String> steps) implements Verdict {
        public Breaks {
            steps = List.copyOf(steps);
        }
    }
}
