package org.treerename.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the report of all results: the file {@code benchmark.md}. */
record Report(List<Result> results) {

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("benchmark.md"), markdown());
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# Benchmarks\n\n");
        text.append(Surroundings.markdown(results));
        text.append(
                "\nEach comparison has several rounds. Each round measures all variants one after the other, on the same"
                        + " data. A table shows the median, the lowest and the highest figure of the rounds. If a goal is a"
                        + " ratio, its table shows the ratio of the medians, and the lowest and the highest ratio of a single"
                        + " round.\n");
        for (Result result : results) {
            text.append("\n## ")
                    .append(result.name())
                    .append("\n\n")
                    .append(result.compares())
                    .append('\n');
            for (Table table : result.tables()) {
                text.append("\n### ").append(table.title()).append("\n\n").append(table.markdown());
            }
        }
        return text.toString();
    }
}
