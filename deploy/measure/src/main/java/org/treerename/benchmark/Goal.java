package org.treerename.benchmark;

import java.util.List;

/** A requirement on the figure of one side of a comparison. */
sealed interface Goal {

    /** Returns the side that must reach the goal. */
    String side();

    /**
     * A lower bound for a ratio. The figure of the side must be at least {@code atLeast} times as good as the figure of
     * the best side in {@code against}.
     *
     * @param against the sides with which the goal compares; only the side with the best median counts
     * @param atLeast the smallest allowed ratio; if it is greater than 1, the side must be better than the sides in
     *     {@code against}
     * @param onlyIf goals of any side; this goal counts only if these goals are reached
     */
    record Times(String side, List<String> against, double atLeast, List<Goal> onlyIf) implements Goal {
        public Times {
            against = List.copyOf(against);
            onlyIf = List.copyOf(onlyIf);
            if (against.isEmpty()) {
                throw new IllegalArgumentException(
                        "a goal of " + side + " must name at least one other side, found none");
            }
        }
    }

    /**
     * An upper bound for a ratio. The figure of the side must be at most {@code most} times the figure of the side
     * {@code against}. Lower figures are better.
     */
    record AtMostTimes(String side, String against, double most) implements Goal {}

    /** An upper bound for the figure of the side, in the unit of the comparison. */
    record AtMost(String side, double limit) implements Goal {}

    /** A lower bound for the figure of the side, in the unit of the comparison. */
    record AtLeast(String side, double limit) implements Goal {}

    static Goal times(double atLeast, String side, String... against) {
        return new Times(side, List.of(against), atLeast, List.of());
    }
}
