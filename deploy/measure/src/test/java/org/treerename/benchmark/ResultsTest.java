package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

    @TempDir
    private Path folder;

    @Test
    void results_are_read_back_in_the_order_of_the_benchmarks() throws Exception {
        Result idle = result("idle", "today", table("a"));
        Result rename = result("rename", "yesterday", table("b"), table("c"));

        results().write(idle);
        results().write(rename);

        assertThat(results().read()).containsExactly(rename, idle);
    }

    @Test
    void a_later_run_replaces_the_tables_of_the_same_benchmark_and_keeps_the_others() throws Exception {
        Result idle = result("idle", "today", table("a"));
        Result later = result("rename", "today", table("d"));
        results().write(idle);
        results().write(result("rename", "yesterday", table("b"), table("c")));

        results().write(later);

        assertThat(results().read()).containsExactly(later, idle);
    }

    @Test
    void results_of_an_unknown_benchmark_are_refused() throws Exception {
        assertThatThrownBy(() -> results().write(result("speed", "today", table("a"))))
                .hasMessageContaining("found speed");
    }

    private Results results() {
        return new Results(folder.resolve("results.json"), List.of("rename", "idle"));
    }

    static Result result(String name, String measuredAt, Table... tables) {
        return new Result(name, "One beside the other.", Map.of("measured at", measuredAt), List.of(tables));
    }

    static Table table(String title) {
        return Table.of(new Comparison(
                title,
                "s",
                Better.LOWER,
                List.of(new Series("engine", List.of(9.0), List.of(2.0, 4.0)), Series.of("peer", 3.0, 6.0)),
                List.of(Goal.times(1.25, "engine", "peer"), new Goal.AtMost("engine", 1)),
                List.of("Only a test.")));
    }
}
