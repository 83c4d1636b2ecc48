package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

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
    void the_first_figures_are_kept_apart_as_warm_ups() throws Exception {
        List<Series> series = new Rounds(2, 1, progress).play(List.of(side("a"), side("b")));

        assertThat(series)
                .containsExactly(
                        new Series("a", List.of(1.0), List.of(3.0, 5.0)),
                        new Series("b", List.of(2.0), List.of(4.0, 6.0)));
    }

    private Rounds.Side side(String name) {
        return new Rounds.Side(name, "s", () -> {
            played.add(name);
            return played.size();
        });
    }
}
