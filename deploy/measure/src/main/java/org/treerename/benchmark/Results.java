package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes and reads the file of all results, with one benchmark in each line. It contains every figure of every round,
 * and the facts on which the figures depend. If a later run measures only some benchmarks, it replaces only the results
 * of these benchmarks.
 *
 * @param names the names of the benchmarks, in the order of the report
 */
record Results(Path file, List<String> names) {

    /** Writes the result of a benchmark, and removes its earlier result. */
    void write(Result result) throws IOException {
        List<Result> all = new ArrayList<>(read());
        all.removeIf(earlier -> earlier.name().equals(result.name()));
        all.add(result);
        Files.writeString(
                file, sorted(all).stream().map(Results::line).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    private static String line(Result result) {
        ObjectNode json =
                Es.JSON.createObjectNode().put("benchmark", result.name()).put("compares", result.compares());
        result.surroundings().forEach(json.putObject("surroundings")::put);
        ArrayNode tables = json.putArray("tables");
        result.tables().forEach(table -> tables.add(table.json()));
        return json.toString();
    }

    /** Reads all results, in the order of {@code names}. Returns an empty list if the file does not exist. */
    List<Result> read() throws IOException {
        List<Result> results = new ArrayList<>();
        if (Files.exists(file)) {
            for (JsonNode json : Es.JSON.readTree(file.toFile())) {
                results.add(result(json));
            }
        }
        return sorted(results);
    }

    private List<Result> sorted(List<Result> results) {
        for (Result result : results) {
            if (!names.contains(result.name())) {
                throw new IllegalArgumentException(
                        "expected results of " + String.join(", ", names) + " in " + file + ", found " + result.name());
            }
        }
        return results.stream()
                .sorted(Comparator.comparing(result -> names.indexOf(result.name())))
                .toList();
    }

    private static Result result(JsonNode json) {
        Map<String, String> surroundings = new LinkedHashMap<>();
        json.required("surroundings")
                .properties()
                .forEach(entry ->
                        surroundings.put(entry.getKey(), entry.getValue().asText()));
        List<Table> tables = new ArrayList<>();
        json.required("tables").forEach(table -> tables.add(Table.read(table)));
        return new Result(
                json.required("benchmark").asText(), json.required("compares").asText(), surroundings, tables);
    }
}
