package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.crash.CrashPoint;
import org.treerename.definition.NamespaceFile;
import org.treerename.path.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.Path;

/** The definitions that people are to begin with, each on an index as its project makes it, with documents of its shape. */
final class PresetsIT {

    private static final int DIRECTORIES = 30;
    private static final int DOCUMENTS = 600;
    private static final int RENAMES = 50;

    private static Log log;
    private static Janitors janitors;

    @TempDir
    private java.nio.file.Path folder;

    private final Random random = new Random(7);
    private final String index = "preset-" + UUID.randomUUID();

    /** The path at which each document was made, by its number, which is its id. */
    private final List<String> begun = new ArrayList<>();

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

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private List<Path> directories(Preset preset, Notation notation) {
        List<Path> directories = new ArrayList<>();
        for (String top : List.of("a", "A", "b-c", "d")) {
            directories.add(notation.root().child(preset.segment(top)));
        }
        while (directories.size() < DIRECTORIES) {
            Path parent = any(directories);
            if (parent.segments().size() < 4) {
                directories.add(parent.child(preset.segment("n-" + directories.size())));
            }
        }
        return directories;
    }

    private void index(Preset preset, Notation notation, List<Path> directories) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            String path = any(directories).child(preset.segment("f-" + i)).text();
            begun.add(path);
            lines.append("{\"index\":{\"_id\":\"%d\"}}\n%s\n".formatted(i, preset.source(notation, i, path, path)));
        }
        assertThat(Es.post("/" + index + "/_bulk?refresh=true", lines.toString())
                        .path("errors")
                        .asBoolean())
                .isFalse();
    }

    /** What each document says where it stands now is what it would say had it been made there. */
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
                            .readTree(preset.source(namespace.notation(), number, begun.get(number), now))
                            .toString());
            found.put(hit.path("_id").asText(), source.toString());
        }
        assertThat(found).hasSize(DOCUMENTS).isEqualTo(expected);
    }

    private ObjectNode send(Path source, Path destination) {
        ObjectNode request = Requests.rename(index, source.text(), destination.text());
        log.send(random.nextInt(8), request.toString());
        return request;
    }

    @ParameterizedTest
    @EnumSource
    void fiftyRenamesAtOnceAfterOneWhoseWorkerWasKilled(Preset preset) throws Exception {
        preset.createIndex(index);
        java.nio.file.Path file = file(preset);
        Namespace namespace = NamespaceFile.read(file).getFirst();
        Notation notation = namespace.notation();
        List<Path> directories = directories(preset, notation);
        index(preset, notation, directories);
        preset.mend(index);
        Judge judge = Judge.of(namespace);
        Group group = Group.atTheEndOfTheLog();
        String[] options = {group.option(), "--lease=2s", "--page-size=20", "--namespaces=" + file};

        List<String> dying = new ArrayList<>(List.of(options));
        dying.add("--crash-at=" + new CrashCase(CrashPoint.WITHIN_MOVE, 2));
        Path destination = notation.root().child(preset.segment("moved-first"));
        try (Workers first = Workers.start(1, dying.toArray(String[]::new))) {
            ObjectNode request = send(directories.getFirst(), destination);
            assertThat(first.processes().getFirst().waitFor(Duration.ofMinutes(1)))
                    .isEqualTo(CrashPointsIT.KILLED);
            JsonNode outcome = log.outcome(Requests.id(request));
            assertThat(outcome.path("status").asText()).isEqualTo("completed");
            assertThat(outcome.path("rolled_forward").asBoolean()).isTrue();
        }
        assertNothingElseHasChanged(preset, namespace);

        try (Workers workers = Workers.start(2, options)) {
            List<ObjectNode> requests = new ArrayList<>();
            directories.add(destination);
            for (int i = 0; i < RENAMES; i++) {
                requests.add(send(any(directories), any(directories).child(preset.segment("moved-" + i))));
            }
            Set<String> statuses = new TreeSet<>();
            requests.forEach(request -> statuses.add(
                    log.outcome(Requests.id(request)).path("status").asText()));
            assertThat(statuses).as("%s", workers.ids()).containsExactly("completed", "rejected");
            judge.assertGood(1);
        }
        assertNothingElseHasChanged(preset, namespace);
        Scene.assertNothingLeft();
    }

    @Test
    void openMetadatasOwnMappingIsRefusedWithTheMendThatThePresetTells() throws IOException {
        Preset.OPENMETADATA.createIndex(index);
        String byItself = Preset.OPENMETADATA.definition(index).replaceFirst("(?m)^    path_keyword: .*\n", "");
        java.nio.file.Path file = Files.writeString(folder.resolve("namespaces.yaml"), byItself);

        assertThat(Services.refused(Elasticsearch.SHARED, "org.treerename.worker.Main", "--namespaces=" + file))
                .contains("the field fullyQualifiedName has a normalizer")
                .contains("path_keyword");
    }
}
