package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.treerename.benchmark.Moving.Move;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;
import org.treerename.runtime.SystemTime;

class CostsTest {

    private final AtomicLong elasticsearchMillis = new AtomicLong(1_000);
    private final List<String> order = new ArrayList<>();
    private final Costs costs = new Costs(new ProcessorTime(
            () -> Map.of(Role.ELASTICSEARCH, List.of(1L), Role.CLIENT, List.of(2L)),
            pid -> Duration.ofMillis(pid == 1 ? elasticsearchMillis.get() : 7)));

    @Test
    void divides_the_processor_time_of_each_role_by_the_renames_of_a_play() throws Exception {
        Side side = costs.side(
                "bulks",
                Costs.PEER,
                () -> spend("before", 500),
                () -> {
                    spend("work", 300);
                    return new Throughput(200, 4);
                },
                () -> spend("after", 900));
        List<Series> played = new Rounds(
                        1, 0, new Progress(new PrintStream(OutputStream.nullOutputStream()), new SystemTime()))
                .play(List.of(side));

        assertThat(order).containsExactly("before", "work", "after");
        assertThat(Costs.figuresOf(List.of("bulks"), played)).containsExactly(Series.of("bulks", 50.0));
        assertThat(costs.comparison("files", List.of("bulks"), played, List.of())
                        .sides())
                .containsExactly(Series.of("bulks: Elasticsearch", 1.5), Series.of("bulks: measuring client", 0.0));
    }

    @Test
    void adds_the_whole_processor_time_to_the_figures_of_one_rename() throws Exception {
        Move moved = costs.measured(List.of(Role.ELASTICSEARCH), (from, to) -> {
                    spend(from + " to " + to, 300);
                    return new Move(17, List.of(0.25));
                })
                .move("/a", "/b");

        assertThat(order).containsExactly("/a to /b");
        assertThat(moved).isEqualTo(new Move(17, List.of(0.25, 300.0)));
        assertThat(Costs.measures(List.of(new Measure("scan", "s")), List.of(Role.ELASTICSEARCH)))
                .containsExactly(new Measure("scan", "s"), new Measure("scan: Elasticsearch", "ms"));
    }

    @Test
    void shows_the_whole_processor_time_if_nothing_was_renamed() {
        assertThat(Costs.figures(new Throughput(0, 2), List.of(Role.KAFKA), Map.of(Role.KAFKA, Duration.ofMillis(30))))
                .containsExactly(0.0, 30.0);
    }

    private void spend(String step, long millis) {
        order.add(step);
        elasticsearchMillis.addAndGet(millis);
    }
}
