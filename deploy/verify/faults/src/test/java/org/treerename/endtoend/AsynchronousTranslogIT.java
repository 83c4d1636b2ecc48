package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills Elasticsearch after a rename in an index with an asynchronous translog. Elasticsearch then loses writes that it
 * has acknowledged. So an outcome would be wrong if it said that the documents have moved.
 */
final class AsynchronousTranslogIT {

    @TempDir
    private Path folder;

    private final String name = "async-" + UUID.randomUUID();

    private final Elasticsearch elasticsearch =
            Elasticsearch.at(KillableServers.elasticsearch().url());

    private Console.Output run(String program, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--prefix=" + name, "--elasticsearch-url=" + elasticsearch.url()));
        return Console.output(program, all);
    }

    private String path() {
        return elasticsearch.get("/" + name + "/_doc/1").at("/_source/path").asText();
    }

    @Test
    void no_outcome_says_that_documents_have_moved_if_a_crash_takes_them_back() throws IOException {
        elasticsearch.put(
                "/" + name,
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0},"
                        + "\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        elasticsearch.put("/" + name + "/_doc/1", "{\"path\":\"/a\"}");
        Path file = Files.writeString(
                folder.resolve("namespaces.yaml"),
                "namespaces: [{ name: %s, index: %s, path_field: path }]".formatted(name, name));
        assertThat(run(Console.RENAME_ADMIN, "namespaces", "define", file.toString())
                        .code())
                .isZero();
        elasticsearch.post("/" + name + "/_flush", "");
        elasticsearch.put(
                "/" + name + "/_settings",
                "{\"index.translog.durability\":\"async\",\"index.translog.sync_interval\":\"60s\"}");

        Console.Output moved = run(Console.RENAME, "mv", "--direct", "/a", "/b", "--namespace=" + name);
        KillableServers.elasticsearch().kill();
        KillableServers.elasticsearch().restart();
        Awaitility.await("the index is available").atMost(Log.PATIENCE).until(() -> !path().isEmpty());

        assertThat(path()).isEqualTo(moved.code() == 0 ? "/b" : "/a");
        assertThat(moved.out())
                .contains("failed: tree_refused: index.translog.durability is async in the index " + name);
    }
}
