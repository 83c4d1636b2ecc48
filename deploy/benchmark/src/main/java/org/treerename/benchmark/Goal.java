package org.treerename.benchmark;

import java.util.List;

/** What one side is to reach in a comparison. */
sealed interface Goal {

    /** The side that it is about. */
    String side();

    /**
     * To be so many times as good as the best of others.
     *
     * @param against the others; the one with the best median counts
     * @param atLeast above 1 is better than they
     * @param onlyIf goals of any side that must be reached, or this one does not count
     */
    record Times(String side, List<String> against, double atLeast, List<Goal> onlyIf) implements Goal {
        public Times {
            against = List.copyOf(against);
            onlyIf = List.copyOf(onlyIf);
            if (against.isEmpty()) {
                throw new IllegalArgumentException("a goal of " + side + " is against nobody");
            }
        }
    }

    /** To need no more than so many times of what another side needs, where lower figures are the good ones. */
    record AtMostTimes(String side, String against, double most) implements Goal {}

    /** To need no more than so much, in the comparison's unit. */
    record AtMost(String side, double limit) implements Goal {}

    /** To reach so much at least, in the comparison's unit. */
    record AtLeast(String side, double limit) implements Goal {}

    static Goal times(double atLeast, String side, String... against) {
        return new Times(side, List.of(against), atLeast, List.of());
    }
}
