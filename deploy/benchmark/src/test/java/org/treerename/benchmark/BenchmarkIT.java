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

    /** As many as {@code --quick} plays of each side. */
    private static final int ROUNDS = 2;

    @Test
    void reports_each_round_of_each_side_of_every_benchmark(@TempDir Path folder) throws Exception {
        List<String> arguments = new ArrayList<>(NAMES);
        arguments.addAll(List.of("--quick", "--to=" + folder));

        // ends with another status where a side has not moved all documents or has left a lock
        assertThat(Main.run(arguments.toArray(String[]::new))).isZero();

        JsonNode report = Es.JSON.readTree(folder.resolve("benchmark.json").toFile());
        List<String> rows = Files.readAllLines(folder.resolve("benchmark.md"));
        assertThat(report.path("benchmarks"))
                .extracting(benchmark -> benchmark.path("name").asText())
                .containsExactlyElementsOf(Main.ALL.stream()
                        .map(Benchmark::name)
                        .filter(name -> NAMES.isEmpty() || NAMES.contains(name))
                        .toList());
        for (JsonNode benchmark : report.path("benchmarks")) {
            String name = benchmark.path("name").asText();
            JsonNode comparisons = benchmark.path("comparisons");
            assertThat(comparisons).as(name).isNotEmpty();
            for (int i = 0; i < comparisons.size(); i++) {
                assertComplete(comparisons.get(i), rows);
                assertThat(folder.resolve(name + "-" + (i + 1) + ".svg")).isNotEmptyFile();
            }
            if (name.equals("rename")) {
                assertThat(comparisons)
                        .extracting(comparison -> comparison.path("title").asText())
                        .containsExactly("Rename of a directory with 300 documents");
                assertThat(comparisons.get(0).path("sides"))
                        .extracting(side -> side.path("side").asText())
                        .containsExactly(
                                "tree rename",
                                "update by query, slices=1 (auto)",
                                "update by query, slices=2",
                                "scan and bulk",
                                "update by query, slices=1, and a refresh",
                                "scan and bulk, and a refresh");
            }
        }
        try (var left = Files.newDirectoryStream(folder, "servers-*")) {
            assertThat(left).as("the servers' data").isEmpty();
        }
    }

    /** Each side has a number for each round, the median of these, and one row of the table. */
    private static void assertComplete(JsonNode comparison, List<String> rows) {
        String title = comparison.path("title").asText();
        List<String> table = rows.subList(rows.indexOf("### " + title) + 1, rows.size());
        assertThat(comparison.path("sides")).as(title).isNotEmpty();
        for (JsonNode side : comparison.path("sides")) {
            List<Double> rounds = new ArrayList<>();
            side.path("rounds").forEach(figure -> {
                assertThat(figure.isNumber()).as("%s: %s", title, side).isTrue();
                rounds.add(figure.asDouble());
            });
            assertThat(rounds).as("%s: %s", title, side).hasSize(ROUNDS).allMatch(Double::isFinite);
            assertThat(side.path("warm_ups")).as("%s: %s", title, side).isEmpty();
            assertThat(side.path("median").asDouble())
                    .as("%s: %s", title, side)
                    .isEqualTo(Spread.of(rounds).median());
            String row = "| " + side.path("side").asText() + " | "
                    + Figure.text(side.path("median").asDouble()) + " |";
            assertThat(table).as("the table of %s", title).anyMatch(line -> line.startsWith(row));
        }
    }
}
