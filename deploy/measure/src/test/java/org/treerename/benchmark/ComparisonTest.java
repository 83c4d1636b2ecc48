package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.benchmark.Verdict.State;

class ComparisonTest {

    private static final Series ENGINE = Series.of("engine", 2.0, 4.0, 1.0);
    private static final Series SLOW = Series.of("slow", 8.0, 8.0, 6.0);
    private static final Series FAST = Series.of("fast", 3.0, 2.0, 4.0);

    @Test
    void the_median_of_an_even_number_of_figures_is_the_mean_of_the_two_middle_figures() {
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(1, 5, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0, 6.0))).isEqualTo(new Spread(1, 5.5, 9));
    }

    @Test
    void a_ratio_has_the_ratio_of_the_medians_and_the_extremes_of_single_rounds() {
        assertThat(Ratio.of(ENGINE, SLOW, Better.LOWER)).isEqualTo(new Ratio(4, 2, 6));
    }

    @Test
    void a_ratio_above_one_means_better_also_if_higher_figures_are_better() {
        assertThat(Ratio.of(ENGINE, SLOW, Better.HIGHER)).isEqualTo(new Ratio(0.25, 1 / 6.0, 0.5));
    }

    @Test
    void warm_ups_do_not_count() {
        Series warmed = new Series("engine", List.of(1_000.0), List.of(2.0));

        assertThat(warmed.spread()).isEqualTo(new Spread(2, 2, 2));
    }

    @Test
    void a_goal_against_several_sides_is_against_the_best_of_them() {
        Comparison comparison = comparison(Better.LOWER, Goal.times(1.25, "engine", "slow", "fast"));

        assertThat(comparison.verdicts())
                .containsExactly(new Verdict(
                        "engine: at least 1.25 times as good as fast",
                        Optional.of(new Ratio(1.5, 0.5, 4)),
                        1.5,
                        1.25,
                        State.REACHED));
    }

    @Test
    void the_best_of_several_sides_is_the_highest_if_higher_is_better() {
        Comparison comparison = comparison(Better.HIGHER, Goal.times(1, "engine", "slow", "fast"));

        assertThat(comparison.verdicts().getFirst().goal()).endsWith("as slow");
        assertThat(comparison.verdicts().getFirst().state()).isEqualTo(State.MISSED);
    }

    @Test
    void a_goal_does_not_count_if_its_condition_is_not_met() {
        Goal condition = Goal.times(1, "slow", "fast");
        Goal met = Goal.times(1, "fast", "slow");

        assertThat(state(new Goal.Times("engine", List.of("slow"), 0.9, List.of(met, condition))))
                .isEqualTo(State.DOES_NOT_COUNT);
        assertThat(state(new Goal.Times("engine", List.of("slow"), 0.9, List.of(met))))
                .isEqualTo(State.REACHED);
    }

    @Test
    void an_upper_bound_is_reached_if_the_median_does_not_exceed_it() {
        assertThat(state(new Goal.AtMost("engine", 2))).isEqualTo(State.REACHED);
        assertThat(state(new Goal.AtMost("engine", 1.9))).isEqualTo(State.MISSED);
    }

    @Test
    void a_maximum_multiple_is_reached_if_the_ratio_of_the_medians_does_not_exceed_it() {
        assertThat(comparison(Better.LOWER, new Goal.AtMostTimes("slow", "engine", 4))
                        .verdicts())
                .containsExactly(new Verdict(
                        "slow: at most 4.00 times engine", Optional.of(new Ratio(4, 2, 6)), 4, 4, State.REACHED));
        assertThat(state(new Goal.AtMostTimes("slow", "engine", 3.9))).isEqualTo(State.MISSED);
    }

    @Test
    void a_lower_bound_is_reached_if_the_median_is_not_below_it() {
        assertThat(state(new Goal.AtLeast("engine", 2))).isEqualTo(State.REACHED);
        assertThat(state(new Goal.AtLeast("engine", 2.1))).isEqualTo(State.MISSED);
    }

    @Test
    void sides_of_different_rounds_are_not_compared() {
        assertThatThrownBy(() -> Ratio.of(ENGINE, Series.of("other", 1.0), Better.LOWER))
                .hasMessageContaining("must have figures of the same rounds");
    }

    @Test
    void a_goal_for_an_unknown_side_is_refused_with_the_known_sides() {
        assertThatThrownBy(() -> state(Goal.times(1, "engine", "other")))
                .hasMessageContaining("expected one of [engine, slow, fast]")
                .hasMessageContaining("found other");
    }

    private static State state(Goal goal) {
        return comparison(Better.LOWER, goal).verdicts().getFirst().state();
    }

    private static Comparison comparison(Better better, Goal goal) {
        return new Comparison("a rename", "s", better, List.of(ENGINE, SLOW, FAST), List.of(goal), List.of());
    }
}
