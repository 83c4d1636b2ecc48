package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.treerename.janitor.deadletter.KafkaDeadLetters;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.testservers.TestServers;

/** Tests {@code rename-admin}, the command line of operators, on real servers. */
final class RenameAdminIT {

    private static final String TRACE_OF_REQUEST = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static Log log;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        // with this lease, the worker detects a pause within two seconds
        workers = Workers.start(1, "--lease=4s");
    }

    @AfterAll
    static void stop() {
        workers.close();
        log.close();
    }

    private static Ended run(String... arguments) throws IOException {
        return Console.run(Console.RENAME_ADMIN, List.of(arguments));
    }

    private static Ended audit(Tree tree, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "audit", "--elasticsearch-url=" + TestServers.elasticsearchUrl(), "--namespace=" + tree.name()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private static Ended retryParked(String requestId) throws IOException {
        return run(
                "retry-parked",
                "--elasticsearch-url=" + TestServers.elasticsearchUrl(),
                "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                requestId);
    }

    @Test
    void the_audit_finds_nothing_when_all_renames_have_ended() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        log.send(0, request.toString());
        log.outcome(Requests.id(request));

        assertThat(audit(tree)).isEqualTo(new Ended(0, "no leak\n"));
        assertThat(audit(tree, "--output=json"))
                .isEqualTo(new Ended(0, "{\"leaks\":[],\"parked\":[],\"remarks\":[]}\n"));
    }

    @Test
    void the_process_writes_findings_to_standard_output_and_errors_to_standard_error()
            throws IOException, InterruptedException {
        Tree tree = Tree.create().directories("/a").files("/nowhere/g").index();
        String elasticsearch = "--elasticsearch-url=" + TestServers.elasticsearchUrl();

        Console.Output found =
                Console.process(Console.RENAME_ADMIN, List.of("audit", elasticsearch, "--namespace=" + tree.name()));
        Console.Output wrong = Console.process(Console.RENAME_ADMIN, List.of("audit", elasticsearch, "--nope"));

        assertThat(found.ended())
                .isEqualTo(new Ended(
                        1,
                        "leak, orphan: there is no directory /nowhere above /nowhere/g in " + tree.name()
                                + "\n1 leak\n"));
        // the processes of other tests may be live
        assertThat(found.err().lines()).allMatch(line -> line.matches("rename-admin: no (worker|janitor) is live.*"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).startsWith("rename-admin: unknown option --nope");
    }

    @Test
    void checks_a_tree_before_its_namespace_is_defined(@TempDir Path folder) throws IOException {
        String name = "check-" + UUID.randomUUID();
        Path file = Files.writeString(folder.resolve("namespaces.yaml"), """
            namespaces:
              - { name: %s, index: %s, path_field: path, directory_field: type, directory_value: directory }
            """.formatted(name, name));
        String mapping = "{\"type\":\"keyword\"}";
        String from = "--namespaces=" + file;
        Ended missing = runWithElasticsearch("check", name, from);
        Es.put("/" + name, "{\"mappings\":{\"properties\":{\"path\":" + mapping + ",\"type\":" + mapping + "}}}");
        Es.put("/" + name + "/_doc/1", "{\"path\":\"/a\",\"type\":\"directory\"}");
        Ended good = runWithElasticsearch("check", name, from);
        Es.put("/" + name + "/_doc/2", "{\"path\":\"/a\",\"type\":\"directory\"}");
        Es.put("/" + name + "/_doc/3", "{\"path\":\"/x/y\"}");
        Es.put("/" + name + "/_doc/4", "{\"path\":\"/a/\"}");
        Ended bad = runWithElasticsearch("check", name, from);
        Ended json = runWithElasticsearch("check", name, from, "--output=json");

        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.out()).contains("index: ", "there is no index or alias " + name);
        assertThat(good).isEqualTo(new Ended(0, "no problem\n"));
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.out())
                .contains("doubled path: 2 documents have the path /a in " + name)
                .contains("orphan: there is no directory /x above /x/y in " + name)
                .contains("invalid path: 1 document in " + name + ": ")
                .endsWith("3 problems\n");
        assertThat(json.json().findValuesAsText("kind"))
                .containsExactlyInAnyOrder("doubled path", "orphan", "invalid path");
        assertThat(runWithElasticsearch("check", name).code())
                .as("exit code for a namespace that is not defined")
                .isEqualTo(2);
        assertThat(runWithElasticsearch("check", "other", from).code()).isEqualTo(2);
    }

    private static Ended namespaces(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("namespaces"));
        all.addAll(List.of(arguments));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return run(all.toArray(String[]::new));
    }

    @Test
    void defines_and_shows_namespaces_and_does_not_replace_a_namespace_in_use(@TempDir Path folder) throws IOException {
        String name = "admin-" + UUID.randomUUID();
        String definition = "namespaces: [{ name: %s, index: %s, path_field: path }]".formatted(name, name);
        Path file = Files.writeString(folder.resolve("namespaces.yaml"), definition);

        Ended early = namespaces("define", file.toString());
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.out()).contains(name + " is not defined: there is no index or alias " + name);

        Es.put("/" + name, "{\"mappings\":{\"properties\":{\"path\":{\"type\":\"keyword\"}}}}");
        assertThat(namespaces("define", file.toString())).isEqualTo(new Ended(0, name + " is defined\n"));
        assertThat(namespaces("define", file.toString())).isEqualTo(new Ended(0, name + " is defined\n"));
        assertThat(namespaces("show").out()).contains("  " + name + "  path  ");
        assertThat(namespaces("show", "-o", "json").out()).contains("\"index\":\"" + name + "\"");

        Files.writeString(file, definition.replace("path_field", "ordering_depth: 2, path_field"));
        Ended other = namespaces("define", file.toString());
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out()).contains(name + " is not defined: the namespace " + name + " is already defined as ");
        Ended replaced = namespaces("define", file.toString(), "--replace");
        assertThat(replaced.code()).isEqualTo(1);
        assertThat(replaced.out())
                .contains("expected no worker, no janitor and no writer to run, found")
                .contains(workers.ids().iterator().next());
        assertThat(Es.get("/tree-rename-control/_doc/namespace:" + name).at("/_source/definition/ordering_depth"))
                .as("ordering_depth of the unchanged definition")
                .isEqualTo(Es.JSON.valueToTree(1));
    }

    @Test
    void the_audit_finds_leaks_of_each_kind() throws IOException {
        Tree tree = Tree.create()
                .directories("/a")
                .files("/a/f", "/a/f", "/nowhere/g")
                .index();
        String holder = UUID.randomUUID().toString();
        String refused = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        Holding.of(tree.name(), "/a/f", refused);
        turnClaimIntoHold(tree, refused);
        try {
            Ended lines = audit(tree);
            Ended json = audit(tree, "--output=json");

            assertThat(lines.code()).isEqualTo(1);
            assertThat(lines.out())
                    .contains("leak, entry: request " + holder, "leak, entry: request " + refused)
                    .containsPattern("/a (is held )?exclusively by request " + holder)
                    .containsPattern("/a/f (is held )?exclusively by request " + refused)
                    .contains("leak, doubled path: 2 documents have the path /a/f in " + tree.name())
                    .contains("leak, orphan: there is no directory /nowhere above /nowhere/g in " + tree.name())
                    .contains("5 leaks");
            assertThat(json.code()).isEqualTo(1);
            assertThat(json.json().path("leaks").findValuesAsText("kind"))
                    .containsExactly("lock document", "entry", "entry", "doubled path", "orphan");

            Es.send("DELETE", "/tree-rename-control/_doc/rename:" + holder, "");
            assertThat(audit(tree).out())
                    .contains("leak, hold: /a in " + tree.name(), "this request has no journal entry");
        } finally {
            Holding.release(tree.name(), "/a", holder);
            Holding.release(tree.name(), "/a/f", refused);
        }
        Ended withoutTree = run("audit", "--elasticsearch-url=" + TestServers.elasticsearchUrl(), "--no-tree");
        assertThat(withoutTree.out()).doesNotContain(tree.name(), holder);
    }

    /**
     * Corrupts a lock table: turns the claim of a request into a hold, although another hold conflicts with this claim.
     */
    private static void turnClaimIntoHold(Tree tree, String requestId) {
        Es.post("/tree-rename-control/_refresh", "");
        JsonNode updated = Es.post("/tree-rename-control/_update_by_query?refresh=true", """
            {"query": {"bool": {"filter": [{"term": {"kind": "lock"}}, {"term": {"namespace": "%s"}}]}},
             "script": {"params": {"request_id": "%s", "hold_id": "%s"},
                        "source": "def hold = ctx._source.claims.remove(params.request_id); \
            hold.request_id = params.request_id; hold.process_id = 'another-process'; \
            ctx._source.holds[params.hold_id] = hold"}}\
            """.formatted(
                        tree.name(), requestId, Holding.holdOf(requestId)));
        assertThat(updated.path("updated").asInt()).isEqualTo(1);
    }

    @Test
    void the_audit_repairs_leaks_and_keeps_the_lock_of_a_live_rename() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f", "/a/f").index();
        String dead = UUID.randomUUID().toString();
        String gone = UUID.randomUUID().toString();
        String live = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", dead);
        Holding.of(tree.name(), "/b", gone);
        Es.send("DELETE", "/tree-rename-control/_doc/rename:" + gone, "");
        Holding.ofLiveProcess(tree.name(), "/c", live);
        try {
            Ended repaired =
                    audit(tree, "--repair", "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers());

            assertThat(repaired.code()).isEqualTo(1);
            assertThat(repaired.out())
                    .contains("repaired, entry: request " + dead, "repaired, hold: /b in " + tree.name())
                    .contains(
                            "leak, doubled path: 2 documents have the path /a/f in " + tree.name() + " (not repaired: ")
                    .endsWith("1 leak\n");
            assertThat(runWithElasticsearch("locks", "--namespace=" + tree.name(), "--output=json")
                            .json()
                            .findValuesAsText("path"))
                    .as("path of the only remaining lock")
                    .containsExactly("/c");
            assertThat(Holding.holdsAt(tree.name(), "/c")).containsExactly(Holding.holdOf(live));
        } finally {
            Holding.release(tree.name(), "/a", dead);
            Holding.release(tree.name(), "/b", gone);
            Holding.release(tree.name(), "/c", live);
        }
        assertThat(audit(tree, "--repair").code())
                .as("exit code with a leak and without Kafka")
                .isEqualTo(2);
    }

    @Test
    void a_parked_rename_is_no_leak_and_ends_when_it_is_retried() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String requestId = Requests.id(request);
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": true}");
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        log.sendIn(TRACE_OF_REQUEST, 0, request.toString());
        Awaitility.await("the rename is parked")
                .atMost(Log.PATIENCE)
                .until(() -> Es.entry(requestId)
                        .filter(entry -> entry.path("state").asText().equals("parked"))
                        .isPresent());

        Ended parked = audit(tree);
        Ended tooEarly = retryParked(requestId);
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": null}");
        Ended retried = retryParked(requestId);
        Ended again = retryParked(requestId);

        assertThat(parked.code()).isZero();
        assertThat(parked.out()).contains("parked: request " + requestId + " (/a to /b) is PARKED", "1 parked");
        assertThat(tooEarly.code()).isEqualTo(1);
        assertThat(tooEarly.out()).contains("is PARKED again");
        assertThat(retried.code()).isZero();
        assertThat(retried.out()).contains("request " + requestId + " is CLOSED");
        assertThat(again.code()).isEqualTo(1);
        assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("completed");
        assertThat(Log.header(log.published(requestId).getFirst(), "traceparent"))
                .isEqualTo(TRACE_OF_REQUEST);
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
        changeCheck.assertGood(0);
    }

    @Test
    void mv_without_a_terminal_ends_when_its_rename_is_parked() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        String requestId = UUID.randomUUID().toString();
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": true}");

        Console.Output parked = Console.output(
                Console.RENAME,
                List.of(
                        "mv",
                        "/a",
                        "/b",
                        "--namespace=" + tree.name(),
                        "--request-id=" + requestId,
                        "--timeout=50s",
                        "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers()));

        assertThat(parked.code()).isEqualTo(3);
        assertThat(parked.err())
                .startsWith("request " + requestId + " is parked: ")
                .endsWith("run rename-admin retry-parked " + requestId
                        + ", or end the rename with rename-admin abandon " + requestId + "\n");
        Es.put("/" + tree.name() + "/_settings", "{\"index.blocks.write\": null}");
        assertThat(retryParked(requestId).code()).isZero();
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
    }

    @Test
    void batch_ends_when_a_line_is_parked_and_the_others_have_ended(@TempDir Path folder) throws IOException {
        try (GatewayProcess gateway = GatewayProcess.start()) {
            for (String server : List.of(
                    "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers(), "--server=" + gateway.url())) {
                Tree blocked = Tree.create().directories("/a").files("/a/f").index();
                Tree free = Tree.create().directories("/a").files("/a/f").index();
                String requestId = UUID.randomUUID().toString();
                Path file = Files.writeString(
                        folder.resolve("renames.csv"),
                        "source,destination,request_id,namespace\n/a,/b," + requestId + "," + blocked.name()
                                + "\n/a,/b,," + free.name() + "\n");
                Es.put("/" + blocked.name() + "/_settings", "{\"index.blocks.write\": true}");

                Console.Output ended = Console.output(
                        Console.RENAME,
                        List.of("batch", file.toString(), "--in-flight=1", "--timeout=50s", "-o", "json", server));

                assertThat(ended.code()).as(ended.err()).isEqualTo(3);
                assertThat(ended.err())
                        .contains("line 2: request " + requestId + " is parked: ")
                        .contains("or end the rename with rename-admin abandon " + requestId + "\n")
                        .doesNotContain("stopped");
                JsonNode summary = Es.JSON.readTree(ended.out());
                assertThat(summary.path("completed").asInt()).isEqualTo(1);
                assertThat(summary.path("parked").asInt()).isEqualTo(1);
                assertThat(summary.path("open").asInt()).isEqualTo(1);
                Es.put("/" + blocked.name() + "/_settings", "{\"index.blocks.write\": null}");
                assertThat(retryParked(requestId).code()).isZero();
                assertThat(free.paths().values()).containsExactly("/b", "/b/f");
            }
        }
    }

    /** Runs a command that needs only Elasticsearch. */
    private static Ended runWithElasticsearch(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return run(all.toArray(String[]::new));
    }

    @Test
    void lists_renames_and_locks_with_their_processes() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        String namespace = "--namespace=" + tree.name();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        log.send(0, request.toString());
        log.outcome(Requests.id(request));
        Awaitility.await("the entry is closed")
                .atMost(Log.PATIENCE)
                .until(
                        () -> Es.entry(Requests.id(request))
                                .orElseThrow()
                                .path("state")
                                .asText(),
                        "closed"::equals);
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/b", holder);
        try {
            JsonNode ended = runWithElasticsearch("renames", namespace, "--output=json")
                    .json()
                    .path(0);
            Ended table = runWithElasticsearch("renames", namespace);
            Ended running = runWithElasticsearch("renames", "--running", "--text=" + holder);
            Ended failed = runWithElasticsearch("renames", "--failed", namespace);
            JsonNode locked = runWithElasticsearch("locks", "/b/f", namespace, "--output=json")
                    .json()
                    .path(0);
            Ended locks = runWithElasticsearch("locks", namespace);

            assertThat(ended.path("request_id").asText()).isEqualTo(Requests.id(request));
            assertThat(ended.path("state").asText()).isEqualTo("closed");
            assertThat(ended.at("/outcome/status").asText()).isEqualTo("completed");
            assertThat(ended.path("process_id").asText()).isIn(workers.ids());
            assertThat(ended.path("process_state").asText()).isEqualTo("live");
            assertThat(table.out())
                    .contains("closed: completed", "/a to /b", "2/2")
                    .hasLineCount(2);
            assertThat(running.out())
                    .contains(holder, "prepared", "another-process (")
                    .hasLineCount(2);
            assertThat(failed).isEqualTo(new Ended(0, ""));
            assertThat(locked.path("path").asText()).isEqualTo("/b");
            assertThat(locked.at("/holders/0/request_id").asText()).isEqualTo(holder);
            assertThat(locked.at("/holders/0/mode").asText()).isEqualTo("exclusive");
            assertThat(locked.at("/holders/0/process_id").asText()).isEqualTo("another-process");
            assertThat(locked.at("/holders/0/counts").asBoolean()).isTrue();
            assertThat(locks.out()).contains("held exclusive", holder).hasLineCount(2);
        } finally {
            Holding.release(tree.name(), "/b", holder);
        }
        assertThat(runWithElasticsearch("locks", "/b").code()).isEqualTo(2);
        assertThat(runWithElasticsearch("locks", "b", namespace).code()).isEqualTo(2);
        assertThat(runWithElasticsearch("locks", "/b", "--namespace=nowhere").code())
                .isEqualTo(2);
        assertThat(runWithElasticsearch("renames", "--running", "--failed").code())
                .isEqualTo(2);
    }

    private static Ended rename(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return Console.run(Console.RENAME, all);
    }

    @Test
    void shows_renames_under_way_and_the_children_of_a_path() throws IOException {
        Tree tree =
                Tree.create().directories("/a", "/a/d").files("/a/d/f", "/g").index();
        String namespace = "--namespace=" + tree.name();
        String holder = UUID.randomUUID().toString();
        Holding.of(tree.name(), "/a", holder);
        try {
            ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
            log.send(0, request.toString());
            Claims.awaitRefusal(tree.name(), Requests.id(request));

            Ended lines = rename("watch", "--once", namespace);
            JsonNode json =
                    rename("watch", "--once", "--output=json", namespace).json().path(0);
            Ended list = rename("ls", "/", namespace);
            JsonNode below =
                    rename("ls", "/a", namespace, "--output=json").json().path(0);
            Ended found = rename("find", "/a", namespace);
            Ended directories =
                    rename("find", "/", namespace, "--query={\"term\":{\"type\":\"directory\"}}", "--count");

            assertThat(lines.code()).isZero();
            assertThat(lines.out()).startsWith("/a to /b in " + tree.name() + ": waits, /a is held exclusively by ");
            assertThat(json.path("request_id").asText()).isEqualTo(Requests.id(request));
            assertThat(json.path("documents_per_second").isNull()).isTrue();
            assertThat(list.out().lines().map(line -> line.replaceAll(" +", " ")))
                    .containsExactly("KIND DOCUMENTS BELOW PATH", "directory 1 2 /a", "document 1 0 /g");
            assertThat(below.path("path").asText()).isEqualTo("/a/d");
            assertThat(below.path("below").asInt()).isEqualTo(1);
            assertThat(found.out().lines()).containsExactly("/a", "/a/d", "/a/d/f");
            assertThat(directories.out().strip()).isEqualTo("2");
            Holding.release(tree.name(), "/a", holder);
            assertThat(log.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("completed");
        } finally {
            Holding.release(tree.name(), "/a", holder);
        }
        assertThat(rename("ls", "/nowhere", namespace)).isEqualTo(new Ended(1, ""));
        assertThat(rename("find", "/nowhere", namespace)).isEqualTo(new Ended(1, ""));
        assertThat(rename("ls", "a", namespace).code()).isEqualTo(2);
    }

    @Test
    void lists_processes_with_their_heartbeats() throws IOException {
        String worker = workers.ids().iterator().next();

        List<JsonNode> glimpse = runWithElasticsearch("processes", "--watch=0s", "--output=json")
                .json()
                .valueStream()
                .filter(process -> process.path("process_id").asText().equals(worker))
                .toList();
        Ended watched = runWithElasticsearch("processes", "--watch=20s");

        assertThat(glimpse).singleElement().satisfies(process -> {
            assertThat(process.path("state").asText()).isEqualTo("live");
            assertThat(process.path("sign").asText()).isEqualTo("unsure");
            assertThat(process.path("service").asText()).isEqualTo("worker");
        });
        assertThat(watched.out().lines())
                .anyMatch(line -> line.startsWith(worker + " ") && line.contains("  live   beating  "));
    }

    /** Sets the state of all other workers to fenced, because {@code pause --wait} would wait for killed workers. */
    private static void fenceOtherWorkers() {
        Es.post("/tree-rename-control/_refresh", "");
        Es.post("/tree-rename-control/_update_by_query?refresh=true", """
            {"query": {"bool": {"filter": [{"term": {"kind": "process"}}, {"term": {"state": "live"}}]}},
             "script": "if (ctx._source.service == 'worker' && ctx._source.process_id != '%s') \
            { ctx._source.state = 'fenced' } else { ctx.op = 'noop' }"}\
            """.formatted(
                        workers.ids().iterator().next()));
    }

    @Test
    void paused_workers_finish_their_renames_and_begin_no_other() throws IOException {
        Tree tree = Tree.create().directories("/a", "/c").files("/a/f", "/c/f").index();
        ObjectNode begun = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode later = Requests.rename(tree.name(), "/c", "/d");
        String holder = UUID.randomUUID().toString();
        fenceOtherWorkers();
        Holding.of(tree.name(), "/a", holder);
        try {
            log.send(0, begun.toString());
            Awaitility.await("the request waits for the lock")
                    .atMost(Log.PATIENCE)
                    .until(() -> Es.entry(Requests.id(begun)).isPresent());

            Ended busy = runWithElasticsearch("pause", "--by=the test", "--wait", "--timeout=4s");
            Holding.release(tree.name(), "/a", holder);
            Ended resting = runWithElasticsearch("pause", "--wait", "--timeout=1m");
            log.send(0, later.toString());
            Ended processes = runWithElasticsearch("processes", "--watch=20s");
            JsonNode health = Es.JSON.readTree(workers.get("/health/ready").body());

            assertThat(busy.code()).isEqualTo(1);
            assertThat(busy.out())
                    .contains(
                            "workers are paused since ", " by the test\n", "the workers are not idle after --timeout");
            assertThat(resting.code()).isZero();
            assertThat(resting.out()).contains(" by the test\n").endsWith("no rename is in progress\n");
            assertThat(log.outcome(Requests.id(begun)).path("status").asText()).isEqualTo("completed");
            assertThat(processes.out()).startsWith("workers are paused since ");
            assertThat(health.path("status").asText()).isEqualTo("up");
            assertThat(health.at("/notes/pause").asText()).contains(" by the test: no new request is started");
            assertThat(Es.entry(Requests.id(later))).isEmpty();
            assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/b/f", "/c", "/c/f");
        } finally {
            Holding.release(tree.name(), "/a", holder);
            assertThat(runWithElasticsearch("unpause").out())
                    .startsWith("the workers continue; they had been paused since ");
        }
        assertThat(runWithElasticsearch("unpause")).isEqualTo(new Ended(0, "workers are not paused\n"));
        assertThat(log.outcome(Requests.id(later)).path("status").asText()).isEqualTo("completed");
        assertThat(Es.JSON.readTree(workers.get("/health/ready").body()).has("notes"))
                .isFalse();
    }

    @Test
    void refuses_to_fence_an_unknown_process_and_to_fence_without_confirmation() throws IOException {
        String worker = workers.ids().iterator().next();

        Ended unknown = runWithElasticsearch("fence", "worker-never", "--yes");
        Console.Output unasked = output("fence", worker);

        assertThat(unknown).isEqualTo(new Ended(1, "there is no process worker-never\n"));
        assertThat(unasked.code())
                .as("exit code without a terminal and without --yes")
                .isEqualTo(2);
        assertThat(unasked.err()).contains(worker + " on ", "owns 0 journal entries");
        assertThat(Services.state(worker)).isEqualTo("live");
    }

    @Test
    void fences_a_process_and_lists_its_requests() throws IOException {
        Tree tree = Tree.create().directories("/a").index();
        String holder = UUID.randomUUID().toString();
        String process = "holder-" + holder;
        Holding.ofLiveProcess(tree.name(), "/a", holder);
        try {
            Console.Output fenced = output("fence", process, "--yes");
            Ended again = runWithElasticsearch("fence", process, "--yes");

            assertThat(fenced.code()).isZero();
            assertThat(fenced.err()).contains(process + " on ", ", owns 1 journal entry\n", holder);
            assertThat(fenced.out()).contains(process + " is fenced; a janitor takes over its renames");
            assertThat(again).isEqualTo(new Ended(0, process + " is fenced already\n"));
            assertThat(Services.state(process)).isEqualTo("fenced");
        } finally {
            Holding.release(tree.name(), "/a", holder);
        }
    }

    @Test
    void lists_end_at_their_limit_and_name_the_option_that_shows_more() throws IOException {
        Tree tree = Tree.create().directories("/a", "/b", "/c").index();
        String namespace = "--namespace=" + tree.name();
        List<String> paths = List.of("/a", "/b", "/c");
        String common = UUID.randomUUID().toString();
        String text = "--text=" + common;
        List<String> holders =
                paths.stream().map(path -> path.replace("/", common + "-")).toList();
        for (int i = 0; i < paths.size(); i++) {
            Holding.of(tree.name(), paths.get(i), holders.get(i));
        }
        try {
            Console.Output renames = output("renames", text, "--oldest", "--limit=2");
            Console.Output locks = output("locks", namespace, "--limit=2");

            assertThat(renames.out()).contains(holders.get(0), holders.get(1)).hasLineCount(3);
            assertThat(renames.err())
                    .isEqualTo("rename-admin: the list may be incomplete; a larger --limit shows more\n");
            assertThat(locks.out()).hasLineCount(3);
            assertThat(locks.err())
                    .isEqualTo("rename-admin: the list may be incomplete; a larger --limit shows more\n");
            assertThat(output("renames", text, "--limit=4").err()).isEmpty();
            assertThat(runWithElasticsearch("renames", text, "--waiting", "--process=another-process")
                            .out())
                    .contains(holders)
                    .hasLineCount(4);
            assertThat(runWithElasticsearch("renames", text, "--parked")).isEqualTo(new Ended(0, ""));
            assertThat(runWithElasticsearch("renames", text, "--since=1h").out())
                    .as("requests of the last hour; the requests of this test are older")
                    .isEmpty();
        } finally {
            for (int i = 0; i < paths.size(); i++) {
                Holding.release(tree.name(), paths.get(i), holders.get(i));
            }
        }
    }

    private static Console.Output output(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--elasticsearch-url=" + TestServers.elasticsearchUrl());
        return Console.output(Console.RENAME_ADMIN, all);
    }

    private static Ended dlt(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("dlt"));
        all.addAll(List.of(arguments));
        all.add("--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers());
        return run(all.toArray(String[]::new));
    }

    @Test
    void lists_shows_and_replays_dead_letters() throws IOException {
        Tree tree = Tree.create().directories("/a").files("/a/f").index();
        tree.refuseSearches();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b").put("requested_by", "me");
        String requestId = Requests.id(request);
        String letter;
        String undecodable;
        try {
            RecordMetadata place = log.send(0, "the key", request.toString().getBytes(StandardCharsets.UTF_8));
            RecordMetadata garbage = log.send(0, null, "{\"source\":\u001b[2J".getBytes(StandardCharsets.UTF_8));
            letter = "0@" + log.deadLetter(place).offset();
            undecodable = "0@" + log.deadLetter(garbage).offset();
        } finally {
            tree.acceptSearches();
        }

        Ended list = dlt("list");
        Ended json = dlt("list", "--output=json");
        Ended shown = dlt("show", letter);
        Ended looked = dlt("replay", letter, "--dry-run");
        Ended replayed = dlt("replay", letter, undecodable);

        List<String> youngest = new ArrayList<>();
        try (KafkaDeadLetters letters = KafkaDeadLetters.connect(
                KafkaClientSettings.of(TestServers.kafkaBootstrapServers()), Duration.ofSeconds(30))) {
            letters.youngest(1, found -> youngest.add(found.place()));
        }
        assertThat(youngest).contains(letter).doesNotContain(undecodable);
        assertThat(list.code()).isZero();
        assertThat(list.out().lines())
                .anyMatch(line -> line.startsWith(letter + " ")
                        && line.matches(".*  " + requestId + " +tree_refused: Elasticsearch refused a search.*"))
                .anyMatch(line ->
                        line.startsWith(undecodable + " ") && line.matches(".* \\(no request id\\) +not_json.*"));
        assertThat(json.json()).anySatisfy(found -> {
            assertThat(found.path("place").asText()).isEqualTo(letter);
            assertThat(found.path("request_id").asText()).isEqualTo(requestId);
            assertThat(found.path("reason").asText()).isEqualTo("tree_refused");
        });
        assertThat(shown.code()).isZero();
        assertThat(shown.out())
                .contains("key: the key\n", "dlt-reason: tree_refused\n", "dlt-topic: rename.requests\n")
                .endsWith("\n\n" + request + "\n");
        assertThat(dlt("show", undecodable).out())
                .as("output with escaped control characters of the record")
                .endsWith("\n\n{\"source\":\\u001b[2J\n")
                .doesNotContain("\u001b");
        assertThat(looked)
                .isEqualTo(new Ended(
                        0,
                        letter + " would be sent again: /a to /b in " + tree.name() + ", the replay of " + requestId
                                + "\n"));
        assertThat(replayed.code()).isEqualTo(1);
        assertThat(replayed.out())
                .contains(letter + " was sent again as ")
                .contains(undecodable + " cannot be replayed: its value is not a request (not_json)");
        String newId = replayed.out().replaceFirst("(?s)^\\S+ was sent again as (replay-[0-9a-f]{32}):.*", "$1");
        JsonNode outcome = log.outcome(newId);
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        assertThat(outcome.path("requested_by").asText()).isEqualTo("me");
        assertThat(dlt("replay", letter).out()).contains(newId);
        assertThat(log.outcomeText(newId, 2)).isEqualTo(log.outcomeText(newId, 1));
        String again = dlt("replay", letter, "--again")
                .out()
                .replaceFirst("(?s)^\\S+ was sent again as ([0-9a-f-]{36}):.*", "$1");
        assertThat(UUID.fromString(again).version()).isEqualTo(7);
        assertThat(log.outcome(again).path("reason").asText()).isEqualTo("source_not_found");
        assertThat(Es.entry(newId)
                        .orElseThrow()
                        .path("request")
                        .path("replay_of")
                        .asText())
                .isEqualTo(requestId);
        assertThat(log.outcome(requestId).path("status").asText()).isEqualTo("failed");
        assertThat(tree.paths().values()).containsExactly("/b", "/b/f");
    }

    @Test
    void an_unknown_dead_letter_or_an_incomplete_command_is_wrong_use() throws IOException {
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
    void wrong_use_and_no_answer_have_their_own_exit_codes() throws IOException {
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
