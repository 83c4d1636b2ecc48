package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.endtoend.Console.Ended;
import org.treerename.testservers.TestServers;

/** The operator's console as a process of its own, on real servers. */
final class RenameAdminIT {

    private static final String ASKED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static Log log;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1);
    }

    @AfterAll
    static void stop() {
        workers.close();
        log.close();
    }

    private static Ended run(String... arguments) throws IOException, InterruptedException {
        return Console.run("org.treerename.janitor.admin.Main", List.of(arguments));
    }

    private static Ended audit(Tree tree, String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "audit", "--elasticsearch-url=" + TestServers.elasticsearchUrl(), "--namespace=" + tree.name()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private static Ended resume(String requestId) throws IOException, InterruptedException {
        return run(
                "resume",
                "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                requestId);
    }

    @Test
    void whereEverythingHasEndedTheAuditFindsNothing() throws IOException, InterruptedException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        log.send(0, request.toString());
        log.outcome(Requests.id(request));

        assertThat(audit(tree)).isEqualTo(new Ended(0, "no leak\n"));
        assertThat(audit(tree, "--json")).isEqualTo(new Ended(0, "{\"leaks\":[],\"parked\":[]}\n"));
    }

    private static Ended namespaces(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("namespaces"));
        all.addAll(List.of(arguments));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return run(all.toArray(String[]::new));
    }

    @Test
    void namespacesAreDefinedAndShownAndChangeOnlyWhereNobodyWorksWithThem(@TempDir Path folder)
            throws IOException, InterruptedException {
        String name = "admin-" + UUID.randomUUID();
        String definition = "namespaces: [{ name: %s, index: %s, path_field: path }]".formatted(name, name);
        Path file = Files.writeString(folder.resolve("namespaces.yaml"), definition);

        Ended early = namespaces("define", file.toString());
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.out()).contains(name + " is not defined: there is no index or alias " + name);

        Es.put("/" + name, "{\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        assertThat(namespaces("define", file.toString())).isEqualTo(new Ended(0, name + " is defined\n"));
        assertThat(namespaces("define", file.toString())).isEqualTo(new Ended(0, name + " is defined\n"));
        assertThat(namespaces("show").out()).contains("\"index\":\"" + name + "\"");

        Files.writeString(file, definition.replace("path_field", "ordering_depth: 2, path_field"));
        Ended other = namespaces("define", file.toString());
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out()).contains(name + " is not defined: the namespace " + name + " is defined already");
        Ended replaced = namespaces("define", file.toString(), "--replace");
        assertThat(replaced.code()).isEqualTo(1);
        assertThat(replaced.out())
                .contains("expected no worker, no janitor and no writer to run, found")
                .contains(workers.ids().iterator().next());
        assertThat(Es.get("/tree-rename-control/_doc/namespace:" + name).at("/_source/definition/ordering_depth"))
                .as("the definition stays")
                .isEqualTo(Es.JSON.valueToTree(1));
    }

    @Test
    void leaksOfEachKindAreFound() throws IOException, InterruptedException {
        Tree tree = Tree.create()
                .directories("/a")
                .files("/a/f", "/a/f", "/nowhere/g")
                .index();
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        Es.post("/tree-rename-control/_refresh", "");
        Es.post("/tree-rename-control/_update_by_query?refresh=true", """
                {"query": {"bool": {"filter": [{"term": {"kind": "lock"}}, {"term": {"namespace": "%s"}}]}},
                 "script": "ctx._source.lock_count = 7"}""".formatted(tree.name()));
        try {
            Ended lines = audit(tree);
            Ended json = audit(tree, "--json");

            assertThat(lines.code()).isEqualTo(1);
            assertThat(lines.out())
                    .contains("leak, entry: request " + holder, "leak, lock document: ")
                    .contains("leak, doubled path: 2 documents stand at /a/f in " + tree.name())
                    .contains("leak, orphan: there is no directory /nowhere above /nowhere/g in " + tree.name())
                    .contains("4 leaks");
            assertThat(json.code()).isEqualTo(1);
            assertThat(json.json().path("leaks").findValuesAsText("kind"))
                    .containsExactly("lock document", "entry", "doubled path", "orphan");

            Es.send("DELETE", "/tree-rename-control/_doc/rename:" + holder, "");
            assertThat(audit(tree).out()).contains("leak, hold: /a in " + tree.name(), "which has no journal entry");
        } finally {
            Holding.release(tree.name(), "/a", holder);
        }
        Ended withoutTree = run("audit", "--elasticsearch-url=" + TestServers.elasticsearchUrl(), "--no-tree");
        assertThat(withoutTree).isEqualTo(new Ended(0, "no leak\n"));
    }

    @Test
    void aParkedRenameIsNoLeakAndEndsWhereItIsResumedAfterMending() throws IOException, InterruptedException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String requestId = Requests.id(request);
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": true}");
        Judge judge = Judge.of(tree);
        log.sendIn(ASKED, 0, request.toString());
        Awaitility.await("the rename is parked")
                .atMost(Log.PATIENCE)
                .until(() -> Es.entry(requestId)
                        .filter(entry -> entry.path("state").asText().equals("parked"))
                        .isPresent());

        Ended parked = audit(tree);
        Ended tooEarly = resume(requestId);
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": null}");
        Ended resumed = resume(requestId);
        Ended again = resume(requestId);

        assertThat(parked.code()).isZero();
        assertThat(parked.out()).contains("parked: request " + requestId + " (/a to /b) is PARKED", "1 parked");
        assertThat(tooEarly.code()).isEqualTo(1);
        assertThat(tooEarly.out()).contains("is PARKED again");
        assertThat(resumed.code()).isZero();
        assertThat(resumed.out()).contains("request " + requestId + " is CLOSED");
        assertThat(again.code()).isEqualTo(1);
        assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("completed");
        assertThat(Log.header(log.published(requestId).getFirst(), "traceparent"))
                .isEqualTo(ASKED);
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
        judge.assertGood(0);
    }

    private static Ended dlt(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("dlt"));
        all.addAll(List.of(arguments));
        all.add("--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers());
        return run(all.toArray(String[]::new));
    }

    @Test
    void deadLettersAreListedShownAndReplayedAfterMending() throws IOException, InterruptedException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b").put("requested_by", "me");
        String requestId = Requests.id(request);
        tree.definedUnder(2);
        RecordMetadata place = log.send(0, "the key", request.toString().getBytes(StandardCharsets.UTF_8));
        RecordMetadata garbage = log.send(0, null, "{\"source\":".getBytes(StandardCharsets.UTF_8));
        String letter = "0@" + log.deadLetter(place).offset();
        String undecodable = "0@" + log.deadLetter(garbage).offset();
        tree.definedUnder(1);

        Ended list = dlt("list");
        Ended json = dlt("list", "--json");
        Ended shown = dlt("show", letter);
        Ended looked = dlt("replay", letter, "--dry-run");
        Ended replayed = dlt("replay", letter, undecodable);

        assertThat(list.code()).isZero();
        assertThat(list.out().lines())
                .anyMatch(line -> line.startsWith(letter + " ")
                        && line.contains("  " + requestId + "  kept_failing: tried 5 times"))
                .anyMatch(line -> line.startsWith(undecodable + " ") && line.contains("(no request id)  not_json"));
        assertThat(json.out().lines().map(RenameAdminIT::parsed)).anySatisfy(found -> {
            assertThat(found.path("place").asText()).isEqualTo(letter);
            assertThat(found.path("request_id").asText()).isEqualTo(requestId);
            assertThat(found.path("reason").asText()).isEqualTo("kept_failing");
        });
        assertThat(shown.code()).isZero();
        assertThat(shown.out())
                .contains("key: the key\n", "dlt-reason: kept_failing\n", "dlt-topic: rename.requests\n")
                .endsWith("\n\n" + request + "\n");
        assertThat(looked)
                .isEqualTo(new Ended(
                        0,
                        letter + " would be sent again: /a to /b in " + tree.name() + ", the replay of " + requestId
                                + "\n"));
        assertThat(replayed.code()).isEqualTo(1);
        assertThat(replayed.out())
                .contains(letter + " was sent again as ")
                .contains(undecodable + " cannot be replayed: its value is no request (not_json)");
        String newId = replayed.out().replaceFirst("(?s)^\\S+ was sent again as ([0-9a-f-]{36}):.*", "$1");
        JsonNode outcome = log.outcome(newId);
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(outcome.path("requested_by").asText()).isEqualTo("me");
        assertThat(UUID.fromString(newId).version()).isEqualTo(7);
        assertThat(Es.entry(newId)
                        .orElseThrow()
                        .path("request")
                        .path("replay_of")
                        .asText())
                .isEqualTo(requestId);
        assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("failed");
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
    }

    private static JsonNode parsed(String line) {
        try {
            return Es.JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDeadLetterThatIsNotThereAndHalfACommandAreWrongUse() throws IOException, InterruptedException {
        assertThat(dlt("show", "0@99999999").code()).isEqualTo(2);
        assertThat(dlt("show", "77@0").code()).isEqualTo(2);
        assertThat(dlt("show", "first").code()).isEqualTo(2);
        assertThat(dlt("replay").code()).isEqualTo(2);
        assertThat(dlt("replay", "--all").code()).isEqualTo(2);
        assertThat(dlt("replay", "--all", "0@0").code()).isEqualTo(2);
        assertThat(run("dlt").code()).isEqualTo(2);
        assertThat(run("dlt", "list", "--kafka-bootstrap-servers=127.0.0.1:1", "--request-timeout=2s")
                        .code())
                .isEqualTo(3);
    }

    @Test
    void wrongUseAndNoAnswerHaveExitCodesOfTheirOwn() throws IOException, InterruptedException {
        String elasticsearch = "--elasticsearch-url=" + TestServers.elasticsearchUrl();
        assertThat(run("audit", elasticsearch, "--nope").code()).isEqualTo(2);
        assertThat(run("audit", elasticsearch, "--namespace=nowhere").code()).isEqualTo(2);
        assertThat(run("audit", elasticsearch, "--namespace=nowhere", "--no-tree")
                        .code())
                .isEqualTo(2);
        assertThat(run("audit", "--elasticsearch-url=http://127.0.0.1:1").code())
                .isEqualTo(3);
    }
}
