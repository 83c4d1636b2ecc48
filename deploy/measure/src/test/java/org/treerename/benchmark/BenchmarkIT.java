package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the benchmarks with tiny sizes. The benchmarks start their own servers. The test does not check any speed. */
class BenchmarkIT {

    /**
     * The benchmarks to run. The system property {@code benchmarks} contains their names, separated by commas. An empty
     * list means all benchmarks.
     */
    private static final List<String> NAMES = Stream.of(
                    System.getProperty("benchmarks", "").split(","))
            .filter(name -> !name.isBlank())
            .toList();

    /** The largest number of rounds of a side in a run with {@code --quick}. */
    private static final int ROUNDS = 2;

    @Test
    void reports_each_round_of_each_side_of_every_benchmark(@TempDir Path folder) throws Exception {
        List<String> arguments = new ArrayList<>(NAMES);
        arguments.addAll(List.of("--quick", "--to=" + folder));

        // if a side did not move all documents or left a lock, the exit code is not 0
        assertThat(Main.run(arguments.toArray(String[]::new))).isZero();

        List<String> rows = Files.readAllLines(folder.resolve("benchmark.md"));
        List<String> known = Main.ALL.stream().map(Benchmark::name).toList();
        List<Result> results = new Results(folder.resolve("results.json"), known).read();
        assertThat(results)
                .extracting(Result::name)
                .containsExactlyElementsOf(known.stream()
                        .filter(name -> NAMES.isEmpty() || NAMES.contains(name))
                        .toList());
        for (Result result : results) {
            assertThat(result.tables()).as(result.name()).isNotEmpty();
            assertThat(result.surroundings()).as(result.name()).containsKeys("machine", "only tried");
            result.tables().forEach(table -> assertComplete(table, rows));
            if (result.name().equals("rename")) {
                assertThat(result.tables())
                        .extracting(Table::title)
                        .containsExactly(
                                "Rename of a directory with 300 documents of some 300 bytes",
                                "Processor time for each rename: Rename of a directory with 300 documents of some 300 bytes",
                                "Rename of a directory with 300 documents of some 100 bytes",
                                "Processor time for each rename: Rename of a directory with 300 documents of some 100 bytes");
                assertThat(result.tables().getFirst().sides())
                        .extracting(Series::side)
                        .containsExactly(
                                "tree rename",
                                "tree rename, until it is decided",
                                "update by query, slices=1 (auto), and a refresh",
                                "update by query, slices=1 (auto)",
                                "update by query, slices=2, and a refresh",
                                "update by query, slices=2",
                                "update by query, slices=4, and a refresh",
                                "update by query, slices=4",
                                "scan and bulk, slices=1, and a refresh",
                                "scan and bulk, slices=1",
                                "scan and bulk, slices=2, and a refresh",
                                "scan and bulk, slices=2",
                                "scan and bulk, slices=4, and a refresh",
                                "scan and bulk, slices=4");
            }
        }
        try (var left = Files.newDirectoryStream(folder, "servers-*")) {
            assertThat(left).as("data folders of the servers").isEmpty();
        }
    }

    /** Asserts that each side has a figure for each of its rounds, and one row in the table. */
    private static void assertComplete(Table table, List<String> rows) {
        List<String> ofTable = rows.subList(rows.indexOf("### " + table.title()) + 1, rows.size());
        assertThat(table.sides()).as(table.title()).isNotEmpty();
        for (Series side : table.sides()) {
            assertThat(side.rounds())
                    .as("%s: %s", table.title(), side)
                    .hasSizeBetween(1, ROUNDS)
                    .allMatch(Double::isFinite);
            assertThat(side.warmUps()).as("%s: %s", table.title(), side).isEmpty();
            String row = "| " + side.side() + " | " + Figure.text(side.spread().median()) + " |";
            assertThat(ofTable).as("table of %s", table.title()).anyMatch(line -> line.startsWith(row));
        }
    }
}
