package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each benchmark runs, tiny, on servers of its own; how fast it is nobody asks here. */
class BenchmarkIT {

    @Test
    void every_benchmark_gives_a_figure_for_every_side(@TempDir Path folder) throws Exception {
        assertThat(Main.run("--quick", "--to=" + folder)).isZero();

        JsonNode benchmarks =
                Es.JSON.readTree(folder.resolve("benchmark.json").toFile()).path("benchmarks");
        assertThat(benchmarks)
                .extracting(benchmark -> benchmark.path("name").asText())
                .containsExactlyElementsOf(
                        Main.ALL.stream().map(Benchmark::name).toList());
        for (JsonNode benchmark : benchmarks) {
            assertThat(benchmark.path("comparisons"))
                    .as("%s", benchmark.path("name"))
                    .isNotEmpty();
            for (JsonNode comparison : benchmark.path("comparisons")) {
                assertThat(comparison.path("sides"))
                        .as("%s", comparison)
                        .isNotEmpty()
                        .allSatisfy(side -> assertThat(side.path("median").asDouble())
                                .as("%s", side)
                                .isPositive());
            }
        }
        try (var left = Files.newDirectoryStream(folder, "servers-*")) {
            assertThat(left).as("the servers' data").isEmpty();
        }
    }
}
