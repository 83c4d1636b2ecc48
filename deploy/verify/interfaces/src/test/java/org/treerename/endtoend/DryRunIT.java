package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.treerename.testservers.TestServers;

/** Tests on real servers that {@code rename mv --dry-run} forecasts a rename and changes nothing. */
final class DryRunIT {

    private static final int FILES = 1_200;

    private static Log log;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
    }

    @AfterAll
    static void stop() {
        log.close();
    }

    private static Console.Ended dryRun(Tree tree, String source, String destination, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "mv",
                "--dry-run",
                source,
                destination,
                "--namespace=" + tree.name(),
                "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
        arguments.addAll(List.of(more));
        return Console.run(Console.RENAME, arguments);
    }

    /** Returns the sequence number and the source of each document of an index, by id. Ignores process documents. */
    private static Map<String, String> stored(String index) {
        Es.post("/" + index + "/_refresh", "");
        Map<String, String> stored = new TreeMap<>();
        String after = "";
        JsonNode hits;
        do {
            hits = Es.post(
                            "/" + index + "/_search",
                            "{\"size\":5000,\"seq_no_primary_term\":true,\"sort\":[\"_seq_no\"]%s}".formatted(after))
                    .path("hits")
                    .path("hits");
            for (JsonNode hit : hits) {
                after = ",\"search_after\":" + hit.path("sort");
                // other processes may end or send heartbeats at the same time
                if (hit.path("_source").path("kind").asText().equals("process")) {
                    continue;
                }
                stored.put(hit.path("_id").asText(), hit.path("_seq_no") + " " + hit.path("_source"));
            }
        } while (!hits.isEmpty());
        assertThat(stored).isNotEmpty();
        return stored;
    }

    private static JsonNode renamed(Tree tree, String source, String destination) {
        ObjectNode request = Requests.rename(tree.name(), source, destination);
        log.send(0, request.toString());
        return log.outcome(Requests.id(request));
    }

    @Test
    void forecasts_what_the_rename_then_does_and_changes_nothing() throws IOException {
        Tree tree = Tree.create().directories("/a", "/c").files("/ab", "/file");
        for (int i = 0; i < FILES; i++) {
            tree.files("/a/" + i);
        }
        tree.index();
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/c", holder);
        Map<String, String> control = stored("tree-rename-control");
        Map<String, String> documents = stored(tree.name());

        Console.Ended free = dryRun(tree, "/a", "/b", "--output=json");
        Console.Ended freeInWords = dryRun(tree, "/a", "/b");
        Console.Ended blocked = dryRun(tree, "/a", "/c/a", "--output=json");
        Console.Ended blockedInWords = dryRun(tree, "/a", "/c/a");
        Console.Ended impossible = dryRun(tree, "/a", "/file/a/x", "--output=json");

        assertThat(stored("tree-rename-control"))
                .as("documents of the control index")
                .isEqualTo(control);
        assertThat(stored(tree.name())).isEqualTo(documents);

        assertThat(free.code()).isZero();
        assertThat(free.json()).isEqualTo(Es.JSON.readTree("""
            {"namespace":"%s","source":"/a","destination":"/b","could_begin":true,"documents":1201,
             "indices":{"%s":1201},"obstacles":[],"waits":[],"documents_per_second":2000,"pace":"assumed",
             "measured_renames":0,"seconds":0.601}\
            """.formatted(tree.name(), tree.name())));
        assertThat(freeInWords)
                .isEqualTo(new Console.Ended(
                        0,
                        "would rename /a to /b: 1201 documents (1201 in " + tree.name() + ")\n"
                                + "the rename could begin now, and would take about 0.6 s at 2000 documents per second"
                                + " (assumed)\n"));
        assertThat(blocked.code()).isEqualTo(1);
        assertThat(blocked.json().path("could_begin").asBoolean()).isFalse();
        assertThat(blocked.json().path("obstacles")).isEmpty();
        assertThat(blocked.json().path("waits"))
                .isEqualTo(Es.JSON.readTree("""
            [{"path":"/c","by":"hold","mode":"exclusive","request_id":"%s","process_id":"holder-%s",
              "process_state":"live","asked_at":"1970-01-01T00:00:00Z",
              "message":"/c is held exclusively by request %s of process holder-%s"}]\
            """.formatted(holder, holder, holder, holder)));
        assertThat(blockedInWords.out())
                .contains("would wait: /c is held exclusively by request " + holder + " of process holder-" + holder
                        + " (holder-" + holder + " is live; requested at 1970-01-01T00:00:00Z)");
        assertThat(impossible.code()).isEqualTo(1);
        assertThat(impossible.json().path("obstacles").findValuesAsText("reason"))
                .containsExactly("ancestor_is_a_file", "destination_parent_not_found");

        Holding.release(tree.name(), "/c", holder);
        try (Workers workers = Workers.start(1)) {
            JsonNode outcome = renamed(tree, "/a", "/b");
            JsonNode rejected = renamed(tree, "/b", "/file/a/x");
            assertThat(outcome.path("moved").asLong())
                    .as("number of documents that the workers %s moved", workers.ids())
                    .isEqualTo(free.json().path("documents").asLong());
            JsonNode first = dryRun(tree, "/b", "/file/a/x", "--output=json")
                    .json()
                    .path("obstacles")
                    .path(0);
            assertThat(rejected.path("reason")).isEqualTo(first.path("reason"));
            assertThat(rejected.path("message")).isEqualTo(first.path("message"));
        }
        JsonNode measured = dryRun(tree, "/b", "/a", "--output=json").json();
        assertThat(measured.path("pace").asText()).isEqualTo("measured");
        assertThat(measured.path("measured_renames").asInt()).isEqualTo(1);
        tree.assertNothingLeft();
    }

    @Test
    void reports_an_invalid_path_and_a_server_that_does_not_answer() throws IOException {
        Tree tree = Tree.create().directories("/a").index();
        Console.Ended elsewhere = Console.run(
                Console.RENAME, List.of("mv", "--dry-run", "/a", "/b", "--elasticsearch-url=http://127.0.0.1:1"));

        assertThat(elsewhere.code()).isEqualTo(3);
        assertThat(dryRun(tree, "a", "/b"))
                .returns(1, Console.Ended::code)
                .satisfies(ended -> assertThat(ended.out()).startsWith("would be rejected: invalid_path: source: "));
    }
}
