package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final Comparison COMPARISON = new Comparison(
            "renames of <many>",
            "s",
            Better.LOWER,
            List.of(
                    new Series("engine", List.of(9.0), List.of(2.0, 1.0, 4.0)),
                    Series.of("update by query", 8.0, 8.0, 6.0)),
            List.of(Goal.times(1.25, "engine", "update by query"), new Goal.AtMost("engine", 1)),
            List.of("Only a test."));

    private static final Report REPORT = new Report(List.of(
            new Result("rename", "One beside the other.", Map.of("processors", "2"), List.of(Table.of(COMPARISON)))));

    @Test
    void a_table_shows_each_side_and_each_goal() {
        assertThat(REPORT.markdown()).contains("* processors: 2\n").contains("""
                        ### renames of <many>

                        | side | median, s | lowest | highest | warm-up |
                        | --- | ---: | ---: | ---: | ---: |
                        | engine | 2.00 | 1.00 | 4.00 | 9.00 |
                        | update by query | 8.00 | 6.00 | 8.00 |  |

                        | goal | found | lowest | highest | |
                        | --- | ---: | ---: | ---: | --- |
                        | engine: at least 1.25 times as good as update by query | 4.00 | 1.50 | 8.00 | reached |
                        | engine: at most 1.00 s | 2.00 |  |  | **not reached** |

                        Only a test.
                        """);
    }

    @Test
    void the_json_contains_every_figure() {
        JsonNode comparison = Table.of(COMPARISON).json();

        assertThat(comparison.at("/sides/0/rounds").toString()).isEqualTo("[2.0,1.0,4.0]");
        assertThat(comparison.at("/sides/0/warm_ups").toString()).isEqualTo("[9.0]");
        assertThat(comparison.at("/sides/1/median").asDouble()).isEqualTo(8);
        assertThat(comparison.at("/goals/0").toString())
                .isEqualTo("{\"goal\":\"engine: at least 1.25 times as good as update by query\",\"target\":1.25,"
                        + "\"found\":4.0,\"lowest\":1.5,\"highest\":8.0,\"state\":\"reached\"}");
        assertThat(comparison.at("/goals/1/state").asText()).isEqualTo("missed");
    }

    @Test
    void a_table_can_be_read_back() {
        assertThat(Table.read(Table.of(COMPARISON).json())).isEqualTo(Table.of(COMPARISON));
    }

    @Test
    void a_table_may_contain_a_negative_difference() {
        Comparison difference = new Comparison(
                "the additional time",
                "ms",
                Better.LOWER,
                List.of(Series.of("reader", -2.0, -1.0, 3.0)),
                List.of(new Goal.AtMost("reader", 5)),
                List.of());
        Table table = Table.of(difference);

        assertThat(new Report(List.of(new Result("readers", "", Map.of(), List.of(table)))).markdown())
                .contains("| reader | -1.00 | -2.00 | 3.00 |  |", "| -1.00 |  |  | reached |");
    }
}
