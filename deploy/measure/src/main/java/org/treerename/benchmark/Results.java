package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes and reads the results in a folder. Each table has one file, for example {@code rename-1.json}. A file contains
 * every figure of every round, and the facts on which the figures depend. If a later run measures only some benchmarks,
 * it replaces only the results of these benchmarks.
 *
 * @param names the names of the benchmarks, in the order of the report
 */
record Results(Path folder, List<String> names) {

    private static final String JSON = ".json";

    /** Writes the tables of a benchmark, and deletes the earlier tables of this benchmark. */
    void write(Result result) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> stale = Files.newDirectoryStream(folder, result.name() + "-*" + JSON)) {
            for (Path file : stale) {
                Files.delete(file);
            }
        }
        for (int i = 0; i < result.tables().size(); i++) {
            ObjectNode json = Es.JSON.createObjectNode().put("benchmark", result.name());
            json.put("position", i + 1).put("compares", result.compares());
            result.surroundings().forEach(json.putObject("surroundings")::put);
            json.setAll(result.tables().get(i).json());
            Files.writeString(folder.resolve(result.file(i) + JSON), json.toPrettyString() + "\n");
        }
    }

    /**
     * Reads all results. The benchmarks are in the order of {@code names}. The tables of a benchmark are in the order
     * in which the benchmark returned them. Returns an empty list if the folder does not exist.
     */
    List<Result> read() throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        Map<String, TreeMap<Integer, JsonNode>> byName = new LinkedHashMap<>();
        names.forEach(name -> byName.put(name, new TreeMap<>()));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + JSON)) {
            for (Path file : files) {
                JsonNode json = Es.JSON.readTree(file.toFile());
                String name = json.required("benchmark").asText();
                TreeMap<Integer, JsonNode> ofBenchmark = byName.get(name);
                if (ofBenchmark == null) {
                    throw new IllegalArgumentException(
                            "expected results of " + String.join(", ", names) + " in " + file + ", found " + name);
                }
                ofBenchmark.put(json.required("position").asInt(), json);
            }
        }
        List<Result> results = new ArrayList<>();
        byName.forEach((name, tables) -> {
            if (!tables.isEmpty()) {
                results.add(result(name, List.copyOf(tables.values())));
            }
        });
        return results;
    }

    private static Result result(String name, List<JsonNode> tables) {
        Map<String, String> surroundings = new LinkedHashMap<>();
        JsonNode first = tables.getFirst();
        first.required("surroundings")
                .properties()
                .forEach(entry ->
                        surroundings.put(entry.getKey(), entry.getValue().asText()));
        return new Result(
                name,
                first.required("compares").asText(),
                surroundings,
                tables.stream().map(Table::read).toList());
    }
}
