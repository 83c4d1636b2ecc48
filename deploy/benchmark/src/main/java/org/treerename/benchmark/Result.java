package org.treerename.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one benchmark has found in one run.
 *
 * @param name the benchmark's
 * @param surroundings what the figures depend on, by name
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

    /** The name of the files of one of its tables, without what they end in. */
    String file(int index) {
        return name + "-" + (index + 1);
    }
}
