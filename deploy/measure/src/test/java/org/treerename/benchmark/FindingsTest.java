package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {

    private static final List<String> NAMES = List.of("rename", "idle");
    private static final Path DOCS = Path.of("docs");

    @Test
    void a_template_gets_the_tables_of_each_benchmark_in_place_of_its_name() {
        assertThat(findings("today").fill("# Found\n\n{{rename}}\n\nProse.\n\n{{idle}}\n"))
                .endsWith("""
                        # Found

                        One beside the other.

                        ### a directory

                        | side | median, s | lowest | highest | warm-up |
                        | --- | ---: | ---: | ---: | ---: |
                        | engine | 3.00 | 2.00 | 4.00 | 9.00 |
                        | peer | 4.50 | 3.00 | 6.00 |  |

                        | goal | found | lowest | highest | |
                        | --- | ---: | ---: | ---: | --- |
                        | engine: at least 1.25 times as good as peer | 1.50 | 1.50 | 1.50 | reached |
                        | engine: at most 1.00 s | 3.00 |  |  | **not reached** |

                        Only a test.

                        Prose.

                        Not measured.
                        """);
    }

    @Test
    void all_goals_are_in_one_table() {
        assertThat(findings("today").fill("{{goals}}\n{{rename}} {{idle}}")).contains("""
                | measured | goal | found | |
                | --- | --- | ---: | --- |
                | a directory | engine: at least 1.25 times as good as peer | 1.50 (1.50 to 1.50) | reached |
                | a directory | engine: at most 1.00 s | 3.00 | **not reached** |
                """);
    }

    @Test
    void equal_surroundings_appear_once_and_different_ones_for_each_benchmark() {
        Result rename = ResultsTest.result("rename", "today");
        String template = "{{surroundings}} {{rename}} {{idle}}";

        assertThat(new Findings(NAMES, List.of(rename, ResultsTest.result("idle", "today"))).fill(template))
                .contains("* measured at: today One");
        assertThat(new Findings(NAMES, List.of(rename, ResultsTest.result("idle", "yesterday"))).fill(template))
                .contains("* measured at:\n    * rename: today\n    * idle: yesterday One");
    }

    @Test
    void a_template_without_a_place_for_a_benchmark_is_refused() {
        assertThatThrownBy(() -> findings("today").fill("{{rename}}")).hasMessageContaining("found none for [idle]");
    }

    @Test
    void a_template_with_an_unknown_name_is_refused() {
        assertThatThrownBy(() -> findings("today").fill("{{rename}} {{speed}}")).hasMessageContaining("found speed");
    }

    @Test
    void the_findings_page_matches_the_stored_results() throws Exception {
        List<String> names = Main.ALL.stream().map(Benchmark::name).toList();
        List<Result> results = new Results(DOCS.resolve("results.json"), names).read();

        assertThat(results).isNotEmpty();
        assertThat(Files.readString(DOCS.resolve("findings.md")))
                .isEqualTo(new Findings(names, results).fill(Files.readString(DOCS.resolve("findings-template.md"))));
    }

    private static Findings findings(String measuredAt) {
        return new Findings(NAMES, List.of(ResultsTest.result("rename", measuredAt, ResultsTest.table("a directory"))));
    }
}
