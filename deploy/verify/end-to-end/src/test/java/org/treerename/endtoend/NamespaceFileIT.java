package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests namespaces that a worker reads from a file. */
final class NamespaceFileIT {

    private static final String KEYWORDS = """
        {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {
          "fqn": {"type": "keyword"}, "path": {"type": "keyword"}, "name": {"type": "keyword"}}}}\
        """;

    private static Log log;

    @TempDir
    private Path folder;

    private final String terms = "terms-" + UUID.randomUUID();
    private final String guide = "guide-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
    }

    @AfterAll
    static void stop() {
        log.close();
    }

    private String termsDefinition() {
        return """
              - name: %s
                index: %s
                separator: .
                quoted_segments: true
                path_field: fqn
                name_field: name
            """.formatted(terms, terms);
    }

    private String guideDefinition() {
        return """
              - { name: %s, index: %s, path_field: path, path_holds: directory, name_field: name }
            """.formatted(guide, guide);
    }

    private Path file(String... definitions) throws IOException {
        return Files.writeString(folder.resolve("namespaces.yaml"), "namespaces:\n" + String.join("", definitions));
    }

    private static JsonNode renamed(String namespace, String source, String destination) {
        ObjectNode request = Requests.rename(namespace, source, destination);
        log.send(0, request.toString());
        return log.outcome(Requests.id(request));
    }

    private static Set<String> sortedSources(String index) {
        Es.post("/" + index + "/_refresh", "");
        Set<String> sources = new TreeSet<>();
        Es.all(index).forEach(document -> sources.add(document.path("_source").toString()));
        return sources;
    }

    private static void put(String index, String source) {
        Es.post("/" + index + "/_doc", source);
    }

    @Test
    void renames_follow_the_file_and_a_running_worker_defines_new_namespaces() throws IOException {
        Es.put("/" + terms, KEYWORDS);
        put(terms, "{\"fqn\":\"shop\",\"name\":\"shop\"}");
        put(terms, "{\"fqn\":\"shop.\\\"orders.v2\\\".id\",\"name\":\"id\"}");
        put(terms, "{\"fqn\":\"shopping\",\"name\":\"shopping\"}");
        Es.put("/" + guide, KEYWORDS);
        put(guide, "{\"name\":\"README.txt\",\"path\":\"/clinton/projects/elasticsearch\"}");
        put(guide, "{\"name\":\"README.txt\",\"path\":\"/clinton/projects/elasticsearch2\"}");

        try (Workers workers = Workers.start(1, "--namespaces=" + file(termsDefinition()))) {
            assertThat(renamed(terms, "shop", "mall.\"the shop.1\"")
                            .path("message")
                            .asText())
                    .isEqualTo("renamed shop to mall.\"the shop.1\"");
            assertThat(sortedSources(terms))
                    .containsExactly(
                            "{\"fqn\":\"mall.\\\"the shop.1\\\"\",\"name\":\"the shop.1\"}",
                            "{\"fqn\":\"mall.\\\"the shop.1\\\".\\\"orders.v2\\\".id\",\"name\":\"id\"}",
                            "{\"fqn\":\"shopping\",\"name\":\"shopping\"}");

            file(termsDefinition(), guideDefinition());
            Awaitility.await("the new namespace is stored")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.control("namespace").stream()
                            .anyMatch(
                                    stored -> stored.path("namespace").asText().equals(guide)));
            assertThat(renamed(guide, "/clinton/projects/elasticsearch", "/es")
                            .path("moved")
                            .asInt())
                    .isEqualTo(1);
            assertThat(sortedSources(guide))
                    .containsExactly(
                            "{\"name\":\"README.txt\",\"path\":\"/clinton/projects/elasticsearch2\"}",
                            "{\"name\":\"README.txt\",\"path\":\"/es\"}");
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        Elasticsearch.SHARED.assertNothingLeft(Set.of(terms, guide));
    }

    @Test
    void a_worker_does_not_start_with_a_namespace_that_its_index_cannot_have() throws IOException {
        Es.put("/" + terms, KEYWORDS.replace("keyword", "text"));

        assertThat(Services.refused(
                        Elasticsearch.SHARED, "org.treerename.worker.Main", "--namespaces=" + file(termsDefinition())))
                .contains("the namespace " + terms + ": the field fqn is of type text, not keyword in the index "
                        + terms);
    }
}
