package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Benchmarks run, tiny, on servers of their own; how fast anything is nobody asks here. */
class BenchmarkIT {

    /** Which, with commas; none means all. */
    private static final List<String> NAMES = Stream.of(
                    System.getProperty("benchmarks", "").split(","))
            .filter(name -> !name.isBlank())
            .toList();

    @Test
    void every_benchmark_gives_a_figure_for_every_side(@TempDir Path folder) throws Exception {
        List<String> arguments = new ArrayList<>(NAMES);
        arguments.addAll(List.of("--quick", "--to=" + folder));

        assertThat(Main.run(arguments.toArray(String[]::new))).isZero();

        JsonNode benchmarks =
                Es.JSON.readTree(folder.resolve("benchmark.json").toFile()).path("benchmarks");
        assertThat(benchmarks)
                .extracting(benchmark -> benchmark.path("name").asText())
                .containsExactlyElementsOf(Main.ALL.stream()
                        .map(Benchmark::name)
                        .filter(name -> NAMES.isEmpty() || NAMES.contains(name))
                        .toList());
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
