package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.testservers.TestServers;

/**
 * Tests the checks that a service makes on its servers when the service starts. A proxy in front of the real
 * Elasticsearch behaves as another version of Elasticsearch.
 */
final class ServerChecksIT {

    private static final String GATEWAY = "org.treerename.producer.http.Main";

    @TempDir
    private Path folder;

    private static Services worker(HttpProxy proxy, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.add(Group.atTheEndOfTheLog().option());
        return Services.start(Elasticsearch.at(proxy.url()), "worker", Program.WORKER, 1, all);
    }

    @Test
    void no_service_starts_with_an_older_major_version() {
        Log.open().close();
        try (HttpProxy proxy = HttpProxy.to(Map.of(), TestServers.elasticsearchUrl())) {
            proxy.behaveAs("8.19.13");
            Elasticsearch old = Elasticsearch.at(proxy.url());

            for (String main : List.of(Program.WORKER, Program.JANITOR, GATEWAY)) {
                assertThat(Services.refused(old, main).lines())
                        .as(main)
                        .last()
                        .asString()
                        .endsWith(
                                ": Elasticsearch 8.19.13 is too old; use Elasticsearch 9.2 to 9.5; 9.2.8, 9.4.3 and 9.5.3"
                                        + " are tested");
            }
        }
    }

    @Test
    void a_worker_keeps_vectors_on_an_older_version_and_after_its_update() throws IOException {
        String older = "older-" + UUID.randomUUID();
        String newer = "newer-" + UUID.randomUUID();
        // create this index as an older version of Elasticsearch does
        createIndex(older, "{\"index.mapping.exclude_source_vectors\":false}");
        createIndex(newer, "{}");
        Path namespaces = Files.writeString(
                folder.resolve("namespaces.yaml"),
                "namespaces:\n  - { name: %1$s, index: %1$s, path_field: path }\n".formatted(older)
                        + "  - { name: %1$s, index: %1$s, path_field: path }\n".formatted(newer));
        try (HttpProxy proxy = HttpProxy.to(Map.of(), TestServers.elasticsearchUrl());
                Log log = Log.open()) {
            proxy.behaveAs("9.1.5");
            try (Services worker = worker(proxy, "--namespaces=" + namespaces)) {
                assertThat(Files.readString(worker.logs().getFirst()))
                        .contains("Elasticsearch 9.1.5 is older than the oldest tested version 9.2.8; test renames on a"
                                + " copy of your data first");
                assertVectorIsKept(log, older);

                proxy.behaveAs("");

                assertVectorIsKept(log, newer);
            }
        }
    }

    private static void createIndex(String index, String settings) {
        JsonNode created = Es.put(
                "/" + index,
                "{\"settings\":" + settings + ",\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"},"
                        + "\"v\":{\"type\":\"dense_vector\",\"dims\":2}}}}");
        assertThat(created.path("acknowledged").asBoolean()).as("%s", created).isTrue();
        Es.put("/" + index + "/_doc/1?refresh=true", "{\"path\":\"/a/1\",\"v\":[1.0,2.0]}");
    }

    private static void assertVectorIsKept(Log log, String index) throws IOException {
        ObjectNode request = Requests.rename(index, "/a", "/b");
        log.send(0, request.toString());
        assertThat(log.outcome(Requests.id(request)).path("status").asText()).isEqualTo("completed");
        assertThat(Es.get("/" + index + "/_doc/1?_source_exclude_vectors=false").path("_source"))
                .isEqualTo(Es.JSON.readTree("{\"path\":\"/b/1\",\"v\":[1.0,2.0]}"));
    }

    @Test
    void a_worker_behind_a_load_balancer_reports_what_is_not_guaranteed() {
        try (HttpProxy cloud = HttpProxy.to(Map.of("X-Found-Handling-Cluster", "abc"), TestServers.elasticsearchUrl());
                Services worker = worker(cloud)) {
            Awaitility.await("the warning")
                    .atMost(Log.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(Files.readString(worker.logs().getFirst()))
                                    .contains(cloud.url()
                                            + " is a proxy of Elastic Cloud (header x-found-handling-cluster): if a"
                                            + " node is cut off from the other nodes, a rename may miss documents at"
                                            + " its source or at its destination; all other guarantees hold"));
        }
    }
}
