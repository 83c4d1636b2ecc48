package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;
import org.treerename.namespace.Granularity;
import org.treerename.path.TreePath;

/** Tests renames in namespaces that lock the tree, each document, or the whole namespace. */
final class GranularitiesIT {

    private static final String MAPPING = """
        {"settings":{"number_of_shards":2,"number_of_replicas":0},
         "mappings":{"properties":{"path":{"type":"keyword"},"parent":{"type":"keyword"},"name":{"type":"keyword"},
           "type":{"type":"keyword"}}}}\
        """;

    private static final int DOCUMENTS = 200;
    private static final int LARGE = 60;

    private static Log log;
    private static Janitors janitors;

    @TempDir
    private java.nio.file.Path folder;

    private final Random random = new Random(11);
    private final String index = "granularity-" + UUID.randomUUID();

    /** The path at which each document was created. The index in the list is the document's id. */
    private final List<TreePath> createdAt = new ArrayList<>();

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        janitors = Janitors.start(1);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        log.close();
    }

    /** Returns crash points at which a worker has acquired a part of its locks, or has moved a part of the tree. */
    static Stream<Arguments> deaths() {
        return Series.of(
                2,
                Stream.of(
                        Arguments.of(Granularity.DOCUMENT, new CrashCase(CrashPoint.AFTER_PREPARE, 3)),
                        Arguments.of(Granularity.GLOBAL, new CrashCase(CrashPoint.WITHIN_MOVE, 2)),
                        Arguments.of(Granularity.DOCUMENT, new CrashCase(CrashPoint.WITHIN_MOVE, 2))));
    }

    private java.nio.file.Path file(Granularity granularity) throws IOException {
        return Files.writeString(folder.resolve("namespaces.yaml"), """
            namespaces:
              - name: %s
                index: %s
                path_field: path
                parent_field: parent
                name_field: name
                directory_field: type
                directory_value: directory
                granularity: %s
            """.formatted(index, index, granularity.stored()));
    }

    private static String source(int number, TreePath at, boolean directory) {
        return "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\",\"number\":%d}"
                .formatted(at, at.parent(), at.name(), directory ? "directory" : "file", number);
    }

    private void index(List<TreePath> directories, List<TreePath> files) {
        Es.put("/" + index, MAPPING);
        StringBuilder lines = new StringBuilder();
        Stream.concat(directories.stream(), files.stream()).forEach(path -> {
            lines.append("{\"index\":{\"_id\":\"%d\"}}\n%s\n"
                    .formatted(createdAt.size(), source(createdAt.size(), path, directories.contains(path))));
            createdAt.add(path);
        });
        assertThat(Es.post("/" + index + "/_bulk?refresh=true", lines.toString())
                        .path("errors")
                        .asBoolean())
                .isFalse();
    }

    /** Asserts that each document is equal to a new document at the same path. */
    private void assertNothingElseHasChanged(int directories) {
        Map<String, String> expected = new LinkedHashMap<>();
        Map<String, String> found = new LinkedHashMap<>();
        for (JsonNode hit : Es.all(index)) {
            int number = hit.path("_id").asInt();
            TreePath now = new TreePath(hit.path("_source").path("path").asText());
            expected.put(hit.path("_id").asText(), source(number, now, number < directories));
            found.put(hit.path("_id").asText(), hit.path("_source").toString());
        }
        assertThat(found).hasSize(createdAt.size()).isEqualTo(expected);
    }

    private ObjectNode send(int partition, TreePath source, TreePath destination) {
        ObjectNode request = Requests.rename(index, source.text(), destination.text());
        log.send(partition, request.toString());
        return request;
    }

    @ParameterizedTest(name = "{0}, killed at {1}")
    @MethodSource("deaths")
    void many_renames_at_once_end_well_after_one_whose_worker_was_killed(Granularity granularity, CrashCase death)
            throws IOException {
        Throng throng = new Throng(log, random, file(granularity), UnaryOperator.identity());
        assertThat(throng.namespace().rules().granularity()).isEqualTo(granularity);
        List<TreePath> files = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            files.add(throng.any().child("f" + i));
        }
        int directories = throng.directories().size();
        index(throng.directories(), files);

        throng.passAfter(death);

        assertNothingElseHasChanged(directories);
        Elasticsearch.SHARED.assertNothingLeft(Set.of(index));
    }

    @ParameterizedTest
    @EnumSource
    void only_the_global_granularity_keeps_apart_renames_of_separate_paths(Granularity granularity) throws IOException {
        List<TreePath> files = new ArrayList<>();
        for (int i = 0; i < LARGE; i++) {
            files.add(new TreePath("/large/" + i));
        }
        files.add(new TreePath("/small"));
        index(List.of(new TreePath("/large")), files);
        Gate gate = Gate.at(CrashPoint.BETWEEN_PAGES, 2);

        try (Workers workers =
                Workers.instrumented(1, "--page-size=20", "--namespaces=" + file(granularity), gate.option())) {
            ObjectNode large = send(0, new TreePath("/large"), new TreePath("/enormous"));
            gate.awaitReached();
            ObjectNode small = send(1, new TreePath("/small"), new TreePath("/little"));

            if (granularity == Granularity.GLOBAL) {
                Claims.awaitRefusal(index, Requests.id(small));
                assertThat(log.outcomes(Requests.id(small))).isEmpty();
            } else {
                assertCompleted(small);
            }
            assertThat(log.outcomes(Requests.id(large)))
                    .as("by %s", workers.ids())
                    .isEmpty();

            gate.open();
            assertCompleted(large);
            assertCompleted(small);
        }
        Elasticsearch.SHARED.assertNothingLeft(Set.of(index));
    }

    private static void assertCompleted(ObjectNode request) {
        JsonNode outcome = log.outcome(Requests.id(request));
        assertThat(outcome.path("status").asText()).as("%s", outcome).isEqualTo("completed");
    }
}
