package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.installation.Installation;
import org.treerename.testservers.TestServers;

/**
 * Runs renames in trees whose documents have an unusual form, on a real Elasticsearch. A rename that cannot move all
 * documents ends before it moves one, with the cause and the first ids. No rename is parked for a cause that was known
 * before its commit. The file {@code odd-trees.json} contains the trees and the expected results.
 */
final class OddTreesIT {

    /** The prefix of a separate installation, which the janitors of other tests ignore. */
    private static final String PREFIX = "odd-" + UUID.randomUUID();

    private static final Elasticsearch ELASTICSEARCH = Elasticsearch.SHARED.in(new Installation(PREFIX));

    @TempDir
    private Path folder;

    private final String name = "odd-" + UUID.randomUUID();

    static Stream<Arguments> trees() throws IOException {
        try (InputStream in = OddTreesIT.class.getResourceAsStream("odd-trees.json")) {
            JsonNode all = Es.JSON.readTree(Objects.requireNonNull(in));
            return StreamSupport.stream(all.spliterator(), false)
                    .map(tree -> Arguments.of(tree.path("name").asText(), tree))
                    .toList()
                    .stream();
        }
    }

    private static Console.Output run(String program, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--prefix=" + PREFIX, "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
        return Console.output(program, all);
    }

    private Console.Output define(JsonNode tree) throws IOException {
        ObjectNode alias = Es.JSON.createObjectNode();
        if (tree.has("filter")) {
            alias.set("filter", tree.path("filter"));
        }
        ObjectNode index = Es.JSON.createObjectNode();
        index.putObject("settings").put("number_of_shards", 1).put("number_of_replicas", 0);
        index.putObject("aliases").set(name + "-alias", alias);
        index.set("mappings", tree.path("mappings"));
        assertThat(ELASTICSEARCH
                        .put("/" + name, index.toString())
                        .path("acknowledged")
                        .asBoolean())
                .isTrue();
        tree.path("documents")
                .properties()
                .forEach(document -> assertThat(ELASTICSEARCH
                                .put(
                                        "/" + name + "/_doc/" + document.getKey() + "?refresh=true",
                                        document.getValue().toString())
                                .path("result")
                                .asText())
                        .isEqualTo("created"));
        ObjectNode definition = tree.path("namespace").deepCopy();
        definition.put("name", name).put("index", name + "-alias");
        ObjectNode file = Es.JSON.createObjectNode();
        file.putArray("namespaces").add(definition);
        Path yaml = Files.writeString(folder.resolve("namespaces.yaml"), file.toString());
        return run(Console.RENAME_ADMIN, "namespaces", "define", yaml.toString());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("trees")
    void moves_all_documents_or_says_before_the_commit_why_not(String what, JsonNode tree) throws IOException {
        String text = tree.path("text").asText();
        Console.Output defined = define(tree);
        if (tree.path("refusal").asBoolean()) {
            assertThat(defined.out() + defined.err()).contains(text);
            assertThat(defined.code()).isNotZero();
            return;
        }
        assertThat(defined.code()).as("%s", defined).isZero();
        String source = tree.path("source").asText();
        String destination = tree.path("destination").asText();
        String id = "request-" + UUID.randomUUID();

        Console.Output dryRun = run(Console.RENAME, "mv", "--dry-run", source, destination, "--namespace=" + name);
        Console.Output moved =
                run(Console.RENAME, "mv", "--direct", source, destination, "--namespace=" + name, "--request-id=" + id);

        assertThat(moved.out()).as("%s", moved).contains(text);
        assertThat(moved.code()).isEqualTo(tree.path("code").asInt());
        assertThat(dryRun.code()).as("%s", dryRun).isEqualTo(tree.path("code").asInt());
        assertThat(ELASTICSEARCH.entry(id).orElseThrow().path("state").asText()).isEqualTo("closed");
        JsonNode expected = moved.code() == 0 ? tree.path("after") : tree.path("documents");
        expected.properties()
                .forEach(document -> assertThat(source(document.getKey())).isEqualTo(document.getValue()));
    }

    private JsonNode source(String id) {
        return ELASTICSEARCH.get("/" + name + "/_doc/" + id).path("_source");
    }
}
