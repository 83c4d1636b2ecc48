package org.treerename.benchmark;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Fills the template of {@code findings.md}. The template contains words in double braces. This class replaces each of
 * these words:
 * <ul>
 *   <li>the name of a benchmark by the tables of this benchmark;
 *   <li>{@code goals} by a table of all goals;
 *   <li>{@code surroundings} by the facts on which the figures depend.
 * </ul>
 *
 * @param benchmarks the names of all benchmarks
 * @param results at most one result of each benchmark
 */
record Findings(List<String> benchmarks, List<Result> results) {

    private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final String MADE =
            "<!-- Made from findings-template.md and results/ by deploy/measure/benchmark --findings;"
                    + " edit the template. -->\n\n";
    private static final String GOALS = "goals";
    private static final String SURROUNDINGS = "surroundings";

    /**
     * Fills the template.
     *
     * @throws IllegalArgumentException if the template contains an unknown word in double braces, or does not contain
     *     the name of each benchmark
     */
    String fill(String template) {
        Map<String, Result> byName = results.stream().collect(Collectors.toMap(Result::name, Function.identity()));
        Set<String> places = new HashSet<>();
        Matcher place = PLACE.matcher(template);
        StringBuilder text = new StringBuilder(MADE);
        while (place.find()) {
            String name = place.group(1);
            places.add(name);
            place.appendReplacement(text, Matcher.quoteReplacement(replacement(name, byName)));
        }
        place.appendTail(text);
        List<String> missing =
                benchmarks.stream().filter(name -> !places.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("expected {{NAME}} in the template for each benchmark, found none for "
                    + missing + "; add the missing names to the template");
        }
        return text.toString();
    }

    private String replacement(String name, Map<String, Result> byName) {
        if (name.equals(GOALS)) {
            return goals();
        }
        if (name.equals(SURROUNDINGS)) {
            return Surroundings.markdown(results).stripTrailing();
        }
        if (!benchmarks.contains(name)) {
            throw new IllegalArgumentException("expected " + GOALS + ", " + SURROUNDINGS + " or one of " + benchmarks
                    + " in the template, found " + name);
        }
        Result result = byName.get(name);
        return result == null ? "Not measured." : tables(result);
    }

    private static String tables(Result result) {
        return result.compares() + "\n\n"
                + result.tables().stream()
                        .map(table -> "### " + table.title() + "\n\n"
                                + table.markdown().stripTrailing())
                        .collect(Collectors.joining("\n\n"));
    }

    private String goals() {
        StringBuilder text = new StringBuilder("| measured | goal | found | |\n| --- | --- | ---: | --- |\n");
        for (Result result : results) {
            for (Table table : result.tables()) {
                for (Verdict verdict : table.verdicts()) {
                    String range = verdict.ratio()
                            .map(ratio ->
                                    " (" + Figure.text(ratio.lowest()) + " to " + Figure.text(ratio.highest()) + ")")
                            .orElse("");
                    Table.row(
                            text,
                            table.title(),
                            verdict.goal(),
                            Figure.text(verdict.figure()) + range,
                            Table.inWords(verdict.state()));
                }
            }
        }
        return text.toString().stripTrailing();
    }
}
