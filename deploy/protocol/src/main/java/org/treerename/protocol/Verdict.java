package org.treerename.protocol;

import java.util.List;

/** What TLC says of one configuration. */
public sealed interface Verdict {

    /**
     * It holds in every state that can be reached.
     *
     * @param states different ones
     * @param depth of the longest way to a state that has no shorter one
     */
    record Holds(long states, int depth) implements Verdict {}

    /**
     * It does not hold.
     *
     * @param property the first that was found broken
     * @param steps the actions that lead there
     */
    record Breaks(String property, List<String> steps) implements Verdict {
        public Breaks {
            steps = List.copyOf(steps);
        }
    }
}
