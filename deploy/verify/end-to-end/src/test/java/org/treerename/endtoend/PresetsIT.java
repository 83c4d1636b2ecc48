package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.crash.CrashPoint;
import org.treerename.namespace.Namespace;

/**
 * Tests the namespace definitions in {@code deploy/run/namespaces}. Each definition is written for one project, and is
 * tested with the mapping and the documents of this project.
 */
final class PresetsIT {

    private static final int DOCUMENTS = 200;

    private static Log log;
    private static Janitors janitors;

    @TempDir
    private java.nio.file.Path folder;

    private final Random random = new Random(7);
    private final String index = "preset-" + UUID.randomUUID();

    /** The path at which each document was created. The index in the list is the document's id. */
    private final List<String> createdAt = new ArrayList<>();

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

    private java.nio.file.Path file(Preset preset) throws IOException {
        return Files.writeString(folder.resolve("namespaces.yaml"), preset.definition(index));
    }

    private void index(Preset preset, Throng throng) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            String path = throng.any().child(preset.segment("f-" + i)).text();
            createdAt.add(path);
            String source = preset.source(throng.namespace().notation(), i, path, path);
            lines.append("{\"index\":{\"_id\":\"%d\"}}\n%s\n".formatted(i, source));
        }
        assertThat(Es.post("/" + index + "/_bulk?refresh=true", lines.toString())
                        .path("errors")
                        .asBoolean())
                .isFalse();
    }

    /**
     * Asserts that each document is equal to a new document at the same path, except the fields that keep the old path.
     */
    private void assertNothingElseHasChanged(Preset preset, Namespace namespace) throws IOException {
        Map<String, String> expected = new LinkedHashMap<>();
        Map<String, String> found = new LinkedHashMap<>();
        for (JsonNode hit : Es.all(index)) {
            int number = hit.path("_id").asInt();
            JsonNode source = hit.path("_source");
            String now = namespace
                    .pathOf(field ->
                            Optional.of(source.at("/" + field.replace('.', '/')).asText()))
                    .orElseThrow();
            expected.put(
                    hit.path("_id").asText(),
                    Es.JSON
                            .readTree(preset.source(namespace.notation(), number, createdAt.get(number), now))
                            .toString());
            found.put(hit.path("_id").asText(), source.toString());
        }
        assertThat(found).hasSize(DOCUMENTS).isEqualTo(expected);
    }

    static Stream<Preset> presets() {
        return Series.of(1, Stream.of(Preset.OPENMETADATA, Preset.FSCRAWLER, Preset.GUIDE, Preset.PLAIN));
    }

    @ParameterizedTest
    @MethodSource("presets")
    void many_renames_at_once_end_well_after_one_whose_worker_was_killed(Preset preset) throws IOException {
        preset.createIndex(index);
        Throng throng = new Throng(log, random, file(preset), preset::segment);
        index(preset, throng);
        preset.mend(index);

        throng.passAfter(new CrashCase(CrashPoint.WITHIN_MOVE, 2));

        assertNothingElseHasChanged(preset, throng.namespace());
        Elasticsearch.SHARED.assertNothingLeft(Set.of(index));
    }

    @Test
    void refuses_the_mapping_of_open_metadata_and_names_the_fix_of_the_preset() throws IOException {
        Preset.OPENMETADATA.createIndex(index);
        String withoutKeyword = Preset.OPENMETADATA.definition(index).replaceFirst("(?m)^    path_keyword: .*\n", "");
        java.nio.file.Path file = Files.writeString(folder.resolve("namespaces.yaml"), withoutKeyword);

        assertThat(Services.refused(Elasticsearch.SHARED, "org.treerename.worker.Main", "--namespaces=" + file))
                .contains("the field fullyQualifiedName has a normalizer")
                .contains("path_keyword");
    }
}
