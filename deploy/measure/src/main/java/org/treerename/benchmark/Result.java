package org.treerename.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one benchmark in one run.
 *
 * @param name the name of the benchmark
 * @param compares the text of {@link Benchmark#compares}
 * @param surroundings the facts on which the figures depend, by name; for example the machine
 */
record Result(String name, String compares, Map<String, String> surroundings, List<Table> tables) {

    Result {
        surroundings = new LinkedHashMap<>(surroundings);
        tables = List.copyOf(tables);
    }

    static Result of(Benchmark benchmark, Map<String, String> surroundings, List<Comparison> comparisons) {
        return new Result(
                benchmark.name(),
                benchmark.compares(),
                surroundings,
                comparisons.stream().map(Table::of).toList());
    }
}
