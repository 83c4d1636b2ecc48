package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.testservers.TestServers;

/**
 * Tests names that break a query, a script, a template, a URL or a log if a program does not escape the names. The
 * tests use each name as a path, a request id, a document id, a routing value and a requester. The programs must treat
 * each name as plain text.
 */
final class HostileNamesIT {

    private static final List<String> NAMES = List.of(
            "\"}},{\"match_all\":{}}",
            "\"}\n{\"delete\":{\"_id\":\"canary\"}}\n",
            "'); ctx.op = 'delete'; //",
            "\"; params.asks = null; /*",
            "{{#toJson}}_source{{/toJson}}",
            "{{{x}}}",
            "${jndi:ldap://127.0.0.1:1/x}",
            "#{x} %{y} $(z) `w`",
            "../../_all",
            "..%2f..%2f_all",
            "%00%0a%zz",
            "?routing=x&refresh=true#y",
            "*",
            "_all,-x",
            "<script>alert(1)</script>",
            "\\\" OR \\u0022",
            "' OR ''='",
            "+ - && || ! ( ) { } [ ] ^ ~ : . @",
            "rename:x",
            "-1");

    private static final Pattern LINE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z (DEBUG|INFO|WARN|ERROR) ");

    private static String segment(String name) {
        return name.replace('/', '_');
    }

    /**
     * Returns a unique request id that contains the name. Replaces line breaks, because a request id must not contain
     * control characters.
     */
    private static String idOf(String name) {
        return UUID.randomUUID() + " " + name.replace('\n', ' ');
    }

    private static ObjectNode rename(Tree tree, String name, String source, String destination) {
        return Requests.rename(tree.name(), source, destination)
                .put("request_id", idOf(name))
                .put("requested_by", name);
    }

    /**
     * Indexes one directory for each name, and one file whose path is in no request. Each directory contains a file
     * whose id and routing are the name. Returns the paths of the files by document id.
     */
    private static Map<String, String> index(Tree tree) throws IOException {
        Map<String, String> paths = new TreeMap<>();
        StringBuilder lines = new StringBuilder();
        for (String name : NAMES) {
            tree.directories("/" + segment(name));
            String path = "/" + segment(name) + "/f";
            lines.append(document(name, name, path));
            paths.put(name, path);
        }
        lines.append(document("canary", "canary", "/canary"));
        paths.put("canary", "/canary");
        tree.index();
        assertThat(Es.post("/" + tree.name() + "/_bulk?refresh=true", lines.toString())
                        .path("errors")
                        .asBoolean(true))
                .isFalse();
        return paths;
    }

    private static String document(String id, String routing, String path) {
        ObjectNode action = Es.JSON.createObjectNode();
        action.putObject("index").put("_id", id).put("routing", routing);
        ObjectNode source = Es.JSON.createObjectNode().put("path", path).put("type", "file");
        source.put("parent", path.substring(0, Math.max(1, path.lastIndexOf('/'))));
        source.put("name", path.substring(path.lastIndexOf('/') + 1));
        return action + "\n" + source + "\n";
    }

    /** Returns the outcome without the process id and the times. */
    private static ObjectNode comparable(Log log, ObjectNode request) {
        ObjectNode outcome = log.outcome(Requests.id(request)).deepCopy();
        return outcome.without(List.of("process_id", "requested_at", "committed_at", "finished_at"));
    }

    private static ObjectNode expected(ObjectNode request, String status, @Nullable String reason, String message) {
        return Es.JSON
                .createObjectNode()
                .put("request_id", Requests.id(request))
                .put("status", status)
                .put("reason", reason)
                .put("message", message)
                .put("moved", status.equals("completed") ? 2 : 0)
                .put("refused", 0)
                .put("rolled_forward", false)
                .put("requested_by", request.path("requested_by").asText())
                .put("namespace", request.path("namespace").asText())
                .put("source", request.path("source").asText())
                .put("destination", request.path("destination").asText());
    }

    private static ObjectNode completed(ObjectNode request) {
        String source = request.path("source").asText();
        return expected(
                request,
                "completed",
                null,
                "renamed " + source + " to " + request.path("destination").asText());
    }

    @Test
    void a_hostile_name_is_plain_text_in_each_place() throws IOException {
        Tree tree = Tree.create();
        Map<String, String> paths = index(tree);
        List<ObjectNode> requests = new ArrayList<>();
        List<String> options = List.of(Group.atTheEndOfTheLog().option(), "-Dtree-rename.renames=DEBUG");
        try (Log log = Log.open();
                Services workers = Services.start("worker", "org.treerename.worker.Main", 1, options)) {
            for (String name : NAMES) {
                ObjectNode there = rename(tree, name, "/" + segment(name), "/moved");
                ObjectNode on = rename(tree, name, "/moved", "/" + segment(name) + " moved");
                on.putArray("after").add(Requests.id(there));
                log.send(0, there.toString());
                log.send(1, on.toString());
                requests.addAll(List.of(there, on));
                assertThat(comparable(log, there)).isEqualTo(completed(there));
                assertThat(comparable(log, on)).isEqualTo(completed(on));
                paths.put(name, "/" + segment(name) + " moved/f");
            }
            for (String name : NAMES) {
                ObjectNode elsewhere = rename(tree, name, "/canary", "/x").put("namespace", name);
                log.send(0, elsewhere.toString());
                assertThat(comparable(log, elsewhere))
                        .isEqualTo(expected(
                                elsewhere, "rejected", "unknown_namespace", "no namespace is called \"" + name + "\""));
            }
            RecordMetadata broken = log.send(
                    0,
                    null,
                    rename(tree, "x", "/canary", "/x")
                            .put("request_id", "a\nb")
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(Log.header(log.deadLetter(broken), "dlt-reason")).isEqualTo("no_request_id");

            Map<String, String> found = new TreeMap<>(tree.paths());
            found.keySet().removeIf(id -> id.startsWith("id-"));
            assertThat(found).isEqualTo(paths);
            tree.assertNothingLeft();
            String first = Requests.id(requests.getFirst());
            assertThat(Console.run(
                            Console.RENAME_ADMIN,
                            List.of(
                                    "retry-parked",
                                    "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                                    "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                                    "--",
                                    first)))
                    .isEqualTo(new Console.Ended(1, "request " + first + " is CLOSED, so there is nothing to retry\n"));
            assertEachLineBegins(workers.logs().getFirst());
        }
    }

    /** Asserts that a line break in a name does not begin a new line of the log. */
    private static void assertEachLineBegins(java.nio.file.Path log) throws IOException {
        assertThat(Files.readAllLines(log))
                .isNotEmpty()
                .allMatch(line -> LINE.matcher(line).lookingAt());
    }
}
