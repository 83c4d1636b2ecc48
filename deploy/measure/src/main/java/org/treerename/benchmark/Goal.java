package org.treerename.benchmark;

import java.util.List;

/** A requirement on the figure of one side of a comparison. */
sealed interface Goal {

    /** Returns the side that must reach the goal. */
    String side();

    /**
     * A lower bound of a ratio: the figure of the side must be at least {@code atLeast} times as good as the figure of
     * the best other side.
     *
     * @param against the other sides; the goal compares with the side that has the best median
     * @param atLeast the smallest ratio; if it is above 1, the side must be better than the other sides
     * @param onlyIf other goals, of any side; if one of these goals is not reached, this goal does not count
     */
    record Times(String side, List<String> against, double atLeast, List<Goal> onlyIf) implements Goal {
        public Times {
            against = List.copyOf(against);
            onlyIf = List.copyOf(onlyIf);
            if (against.isEmpty()) {
                throw new IllegalArgumentException("a goal of " + side + " must name at least one other side");
            }
        }
    }

    /**
     * An upper bound of a ratio: the figure of the side must be at most {@code most} times the figure of another side.
     * Lower figures are better.
     */
    record AtMostTimes(String side, String against, double most) implements Goal {}

    /** An upper bound of the figure of the side, in the unit of the comparison. */
    record AtMost(String side, double limit) implements Goal {}

    /** A lower bound of the figure of the side, in the unit of the comparison. */
    record AtLeast(String side, double limit) implements Goal {}

    static Goal times(double atLeast, String side, String... against) {
        return new Times(side, List.of(against), atLeast, List.of());
    }
}
