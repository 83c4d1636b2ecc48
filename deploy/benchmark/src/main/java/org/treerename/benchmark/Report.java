package org.treerename.benchmark;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was found, as files: {@code benchmark.md}, {@code benchmark.json}, and a plot of each comparison beside them.
 *
 * @param surroundings what the figures depend on, by name
 */
record Report(Map<String, String> surroundings, List<Result> results) {

    /**
     * What one benchmark has found.
     *
     * @param name the benchmark's
     */
    record Result(String name, String compares, List<Comparison> comparisons) {

        String plot(int index) {
            return name + "-" + (index + 1) + ".svg";
        }
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("benchmark.md"), markdown());
        Files.writeString(folder.resolve("benchmark.json"), json().toPrettyString() + "\n");
        for (Result result : results) {
            for (int i = 0; i < result.comparisons().size(); i++) {
                Files.writeString(
                        folder.resolve(result.plot(i)),
                        new Plot(result.comparisons().get(i)).svg());
            }
        }
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# Benchmarks\n\n");
        surroundings.forEach((name, value) ->
                text.append("* ").append(name).append(": ").append(value).append('\n'));
        text.append(
                "\nEvery comparison plays its sides in turn, round after round, on the same data in one run. A median"
                        + " stands with the lowest and the highest figure; a ratio of medians with the lowest and the highest"
                        + " ratio of one round.\n");
        for (Result result : results) {
            text.append("\n## ")
                    .append(result.name())
                    .append("\n\n")
                    .append(result.compares())
                    .append('\n');
            for (int i = 0; i < result.comparisons().size(); i++) {
                append(text, result.comparisons().get(i), result.plot(i));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Comparison comparison, String plot) {
        text.append("\n### ").append(comparison.title()).append("\n\n");
        text.append("| side | median, ").append(comparison.unit()).append(" | lowest | highest | warm-up |\n");
        text.append("| --- | ---: | ---: | ---: | ---: |\n");
        for (Series side : comparison.sides()) {
            Spread spread = side.spread();
            row(
                    text,
                    side.side(),
                    Figure.text(spread.median()),
                    Figure.text(spread.min()),
                    Figure.text(spread.max()),
                    side.warmUps().stream()
                            .map(Figure::text)
                            .reduce((a, b) -> a + ", " + b)
                            .orElse(""));
        }
        List<Verdict> verdicts = comparison.verdicts();
        if (!verdicts.isEmpty()) {
            text.append("\n| goal | found | lowest | highest | |\n| --- | ---: | ---: | ---: | --- |\n");
            for (Verdict verdict : verdicts) {
                row(
                        text,
                        verdict.goal(),
                        Figure.text(verdict.figure()),
                        verdict.ratio()
                                .map(ratio -> Figure.text(ratio.lowest()))
                                .orElse(""),
                        verdict.ratio()
                                .map(ratio -> Figure.text(ratio.highest()))
                                .orElse(""),
                        inWords(verdict.standing()));
            }
        }
        comparison.notes().forEach(note -> text.append('\n').append(note).append('\n'));
        text.append("\n![").append(comparison.title()).append("](").append(plot).append(")\n");
    }

    private static void row(StringBuilder text, String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String inWords(Verdict.Standing standing) {
        return switch (standing) {
            case REACHED -> "reached";
            case MISSED -> "**not reached**";
            case DOES_NOT_COUNT -> "does not count in this run";
        };
    }

    ObjectNode json() {
        ObjectNode json = Es.JSON.createObjectNode();
        surroundings.forEach(json.putObject("surroundings")::put);
        ArrayNode benchmarks = json.putArray("benchmarks");
        for (Result result : results) {
            ObjectNode benchmark = benchmarks.addObject().put("name", result.name());
            ArrayNode comparisons = benchmark.putArray("comparisons");
            result.comparisons().forEach(comparison -> add(comparisons.addObject(), comparison));
        }
        return json;
    }

    private static void add(ObjectNode json, Comparison comparison) {
        json.put("title", comparison.title()).put("unit", comparison.unit());
        json.put("better", comparison.better() == Better.LOWER ? "lower" : "higher");
        ArrayNode sides = json.putArray("sides");
        for (Series series : comparison.sides()) {
            ObjectNode side = sides.addObject().put("side", series.side());
            side.put("median", series.spread().median());
            series.rounds().forEach(side.putArray("rounds")::add);
            series.warmUps().forEach(side.putArray("warm_ups")::add);
        }
        ArrayNode goals = json.putArray("goals");
        for (Verdict verdict : comparison.verdicts()) {
            ObjectNode goal = goals.addObject().put("goal", verdict.goal());
            goal.put("target", verdict.target()).put("found", verdict.figure());
            verdict.ratio()
                    .ifPresent(ratio -> goal.put("lowest", ratio.lowest()).put("highest", ratio.highest()));
            goal.put("standing", verdict.standing().name().toLowerCase(Locale.ROOT));
        }
        comparison.notes().forEach(json.putArray("notes")::add);
    }
}
