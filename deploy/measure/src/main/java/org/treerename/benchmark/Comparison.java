package org.treerename.benchmark;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.treerename.benchmark.Verdict.State;

/**
 * Compares the figures of several sides with each other and with goals. A side is one of the compared ways to do the
 * same work. In each round of a run, all sides of a comparison are measured one after the other.
 *
 * @param title the title; no two comparisons of a benchmark have the same title
 * @param unit the unit of all figures
 * @param notes facts that a reader must know about the figures
 */
record Comparison(String title, String unit, Better better, List<Series> sides, List<Goal> goals, List<String> notes) {

    Comparison {
        sides = List.copyOf(sides);
        goals = List.copyOf(goals);
        notes = List.copyOf(notes);
    }

    Series side(String name) {
        return sides.stream()
                .filter(series -> series.side().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + sides.stream().map(Series::side).toList() + " in " + title + ", found " + name));
    }

    List<Verdict> verdicts() {
        return goals.stream().map(this::verdict).toList();
    }

    private Verdict verdict(Goal goal) {
        return switch (goal) {
            case Goal.Times times -> verdict(times);
            case Goal.AtMostTimes atMostTimes -> verdict(atMostTimes);
            case Goal.AtMost atMost -> bound(atMost.side(), "at most", atMost.limit(), 1);
            case Goal.AtLeast atLeast -> bound(atLeast.side(), "at least", atLeast.limit(), -1);
        };
    }

    private Verdict verdict(Goal.AtMostTimes goal) {
        // with Better.HIGHER, the ratio is the figure of the first side divided by the figure of the second side
        Ratio ratio = Ratio.of(side(goal.side()), side(goal.against()), Better.HIGHER);
        return new Verdict(
                goal.side() + ": at most " + Figure.text(goal.most()) + " times " + goal.against(),
                Optional.of(ratio),
                ratio.ofMedians(),
                goal.most(),
                ratio.ofMedians() <= goal.most() ? State.REACHED : State.MISSED);
    }

    /**
     * Returns the verdict on a goal that limits the figure of a side. The limit has the unit of the figures.
     *
     * @param sign 1 if the limit is an upper bound, -1 if the limit is a lower bound
     */
    private Verdict bound(String side, String words, double limit, int sign) {
        double median = side(side).spread().median();
        return new Verdict(
                side + ": " + words + " " + Figure.text(limit) + " " + unit,
                Optional.empty(),
                median,
                limit,
                sign * median <= sign * limit ? State.REACHED : State.MISSED);
    }

    private Verdict verdict(Goal.Times goal) {
        Series best = best(goal.against());
        Ratio ratio = Ratio.of(side(goal.side()), best, better);
        boolean counts = goal.onlyIf().stream().allMatch(other -> verdict(other).state() == State.REACHED);
        State reached = ratio.ofMedians() >= goal.atLeast() ? State.REACHED : State.MISSED;
        return new Verdict(
                goal.side() + ": at least " + Figure.text(goal.atLeast()) + " times as good as " + best.side(),
                Optional.of(ratio),
                ratio.ofMedians(),
                goal.atLeast(),
                counts ? reached : State.DOES_NOT_COUNT);
    }

    private Series best(List<String> names) {
        Comparator<Series> byMedian =
                Comparator.comparingDouble(series -> series.spread().median());
        return names.stream()
                .map(this::side)
                .max(better == Better.HIGHER ? byMedian : byMedian.reversed())
                .orElseThrow();
    }
}
