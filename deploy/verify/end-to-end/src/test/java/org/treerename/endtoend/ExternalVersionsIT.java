package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests renames in a namespace with {@code version: external}. In this namespace, another system assigns the versions
 * of the documents.
 */
final class ExternalVersionsIT {

    private static final int FILES = 600;
    private static final int NEWER = 3;
    private static final long VERSION = 1_000;
    private static final long LATER = 5_000;

    private static Log topics;
    private static Janitors janitors;

    @TempDir
    private Path folder;

    private final String name = "versions-" + UUID.randomUUID();
    private String definitions = "";

    @BeforeAll
    static void start() {
        Tree.create();
        topics = Log.open();
        janitors = Janitors.start(1, "--page-size=100");
    }

    @AfterAll
    static void stop() {
        janitors.close();
        topics.close();
    }

    @BeforeEach
    void define() throws IOException {
        Es.put("/" + name, """
            {"settings": {"number_of_replicas": 0}, "mappings": {"dynamic": false, "properties": {
              "path": {"type": "keyword"}, "type": {"type": "keyword"}}}}\
            """);
        definitions = "--namespaces=" + Files.writeString(folder.resolve("namespaces.yaml"), """
            namespaces:
              - name: %s
                index: %s
                path_field: path
                directory_field: type
                directory_value: directory
                version: external
            """.formatted(name, name));
        StringBuilder lines = new StringBuilder();
        add(lines, "directory", "/a", "directory", 1);
        for (int i = 0; i < FILES; i++) {
            add(lines, "file-" + i, "/a/file-" + i, "file", i < NEWER ? LATER : 2 + i);
        }
        assertThat(Es.post("/" + name + "/_bulk?refresh", lines.toString())
                        .path("errors")
                        .asBoolean(true))
                .isFalse();
    }

    private static void add(StringBuilder lines, String id, String path, String type, long version) {
        lines.append("{\"index\":{\"_id\":\"%s\",\"version\":%d,\"version_type\":\"external\"}}\n"
                        .formatted(id, version))
                .append(source(path, type))
                .append('\n');
    }

    private static String source(String path, String type) {
        return "{\"path\":\"%s\",\"type\":\"%s\",\"size\":1.10}".formatted(path, type);
    }

    /** Returns the path and the version of each document, by id. */
    private SortedMap<String, String> pathsAndVersions() {
        SortedMap<String, String> pathsAndVersions = new TreeMap<>();
        Es.all(name)
                .forEach(hit -> pathsAndVersions.put(
                        hit.path("_id").asText(),
                        hit.path("_source").path("path").asText() + " in "
                                + hit.path("_version").asLong()));
        return pathsAndVersions;
    }

    private static SortedMap<String, String> renamed(String to) {
        SortedMap<String, String> expected = new TreeMap<>();
        expected.put("directory", to + " in " + VERSION);
        for (int i = 0; i < FILES; i++) {
            expected.put(
                    "file-" + i, i < NEWER ? "/a/file-" + i + " in " + LATER : to + "/file-" + i + " in " + VERSION);
        }
        return expected;
    }

    private ObjectNode request(String source, String destination) {
        return Requests.rename(name, source, destination);
    }

    private static JsonNode outcome(ObjectNode request) {
        topics.send(0, request.toString());
        return topics.outcome(Requests.id(request));
    }

    @Test
    void a_move_whose_worker_was_killed_ends_in_the_version_of_the_request_and_newer_documents_stay() {
        ObjectNode request = request("/a", "/b").put("version", VERSION);
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.instrumented(
                1, group.option(), definitions, "--lease=10s", "--page-size=100", "--crash-at=WITHIN_MOVE:3")) {
            topics.send(0, request.toString());
            assertThat(workers.processes().getFirst().waitFor(Log.PATIENCE)).isEqualTo(CrashCase.KILLED);
            assertThat(pathsAndVersions().values().stream()
                            .filter(place -> place.startsWith("/b"))
                            .count())
                    .as("documents that had moved when the worker died")
                    .isBetween(1L, (long) FILES - NEWER);
        }

        JsonNode outcome = topics.outcome(Requests.id(request));

        assertThat(outcome.path("rolled_forward").asBoolean()).isTrue();
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(outcome.path("reason").asText()).isEqualTo("older_version");
        assertThat(outcome.path("refused").asInt()).isEqualTo(NEWER);
        assertThat(pathsAndVersions()).isEqualTo(renamed("/b"));
        assertThat(Es.get("/" + name + "/_source/file-100"))
                .hasToString(source("/b/file-100", "file").replace("1.10", "1.1"));
        JsonNode late = Es.send(
                "PUT",
                "/" + name + "/_doc/file-100?version_type=external&version=" + (VERSION - 1),
                source("/a/file-100", "file"));
        assertThat(late.path("status").asInt())
                .as("status of a write with an older version")
                .isEqualTo(409);
        Elasticsearch.SHARED.assertNothingLeft(Set.of(name));
    }

    @Test
    void a_request_of_the_same_version_is_rejected_and_a_request_without_a_version_is_invalid() {
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.start(1, group.option(), definitions, "--lease=2s")) {
            assertThat(outcome(request("/a", "/b").put("version", VERSION))
                            .path("refused")
                            .asInt())
                    .isEqualTo(NEWER);

            JsonNode older = outcome(request("/b", "/c").put("version", VERSION));
            JsonNode without = outcome(request("/b", "/c"));

            assertThat(older.path("status").asText()).isEqualTo("rejected");
            assertThat(older.path("reason").asText()).isEqualTo("older_version");
            assertThat(without.path("reason").asText()).isEqualTo("invalid_request");
            assertThat(pathsAndVersions()).isEqualTo(renamed("/b"));
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        Elasticsearch.SHARED.assertNothingLeft(Set.of(name));
    }
}
