package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.SystemTime;

class RoundsTest {

    private final Progress progress = new Progress(new PrintStream(OutputStream.nullOutputStream()), new SystemTime());
    private final List<String> played = new ArrayList<>();

    @Test
    void the_sides_are_played_in_turn() throws Exception {
        new Rounds(2, 1, progress).play(List.of(side("a"), side("b"), side("c")));

        assertThat(played).containsExactly("a", "b", "c", "a", "b", "c", "a", "b", "c");
    }

    @Test
    void the_first_figures_are_separated_as_warm_ups() throws Exception {
        List<Series> series = new Rounds(2, 1, progress).play(List.of(side("a"), side("b")));

        assertThat(series)
                .containsExactly(
                        new Series("a", List.of(1.0), List.of(3.0, 5.0)),
                        new Series("b", List.of(2.0), List.of(4.0, 6.0)));
    }

    @Test
    void a_play_with_several_figures_gives_one_series_for_each() throws Exception {
        Rounds.Side both =
                new Rounds.Side(List.of(new Rounds.Measure("bare", "s"), new Rounds.Measure("refreshed", "s")), () -> {
                    played.add("both");
                    return List.of((double) played.size(), played.size() + 0.5);
                });

        assertThat(new Rounds(2, 0, progress).play(List.of(both, side("a"))))
                .containsExactly(
                        Series.of("bare", 1.0, 3.0), Series.of("refreshed", 1.5, 3.5), Series.of("a", 2.0, 4.0));
    }

    @Test
    void a_play_with_a_missing_figure_is_refused() {
        Rounds.Side side = new Rounds.Side(
                List.of(new Rounds.Measure("bare", "s"), new Rounds.Measure("refreshed", "s")), () -> List.of(1.0));

        assertThatThrownBy(() -> new Rounds(1, 0, progress).play(List.of(side)))
                .hasMessageContaining("expected a figure for each of")
                .hasMessageContaining("found [1.0]");
    }

    @Test
    void two_figures_of_one_name_are_refused() {
        assertThatThrownBy(() -> new Rounds(1, 0, progress).play(List.of(side("a"), side("a"))))
                .hasMessage("the names of measures must be different, found twice: a");
    }

    @Test
    void long_plays_have_half_the_rounds_and_no_warm_up() {
        assertThat(new Rounds(3, 1, progress).halved()).isEqualTo(new Rounds(2, 0, progress));
        assertThat(new Rounds(1, 0, progress).halved()).isEqualTo(new Rounds(1, 0, progress));
    }

    private Rounds.Side side(String name) {
        return new Rounds.Side(name, "s", () -> {
            played.add(name);
            return played.size();
        });
    }
}
