package org.treerename.protocol;

import java.util.List;

/** The result of TLC for one configuration: all properties hold, or one property does not hold. */
public sealed interface Verdict {

    /**
     * All properties hold in every reachable state.
     *
     * @param states the number of different states
     * @param depth the number of states on the shortest path from an initial state to the state that is farthest away
     */
    record Holds(long states, int depth) implements Verdict {}

    /**
     * A property does not hold.
     *
     * @param property the violated property that TLC found first
     * @param steps the actions that lead to the violation
     */
    record Breaks(String property, List<String> steps) implements Verdict {
        public Breaks {
            steps = List.copyOf(steps);
        }
    }
}
