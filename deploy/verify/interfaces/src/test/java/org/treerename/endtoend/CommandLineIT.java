package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.testservers.TestServers;

/**
 * Tests commands that run as separate processes on real servers. The tests use contexts, the gateway, lists of
 * requests, and SIGINT.
 */
final class CommandLineIT {

    private static final String TOKEN = "0123456789abcdef";
    private static final int INTERRUPTED = 130;

    @TempDir
    private static Path folder;

    private static Log log;
    private static Workers workers;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws IOException {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1, "--lock-wait=10m");
        Path tokens = Files.writeString(folder.resolve("tokens"), "alice:" + TOKEN + ":rename\n");
        gateway = GatewayProcess.start("--http-token-file=" + tokens);
        Files.writeString(folder.resolve("alice.token"), TOKEN + "\n");
        Path config = Files.createDirectories(folder.resolve("home/.config/tree-rename"));
        Files.writeString(config.resolve("config.yaml"), """
            sweep-every: 1m                  # of another program
            server: %s
            token-file: ../../../alice.token
            """.formatted(gateway.url()));
        Files.writeString(folder.resolve("direct.yaml"), """
            kafka-bootstrap-servers: "%s"
            elasticsearch-url: %s
            """.formatted(
                        TestServers.kafkaBootstrapServers(), TestServers.elasticsearchUrl()));
        Files.writeString(folder.resolve("nowhere.yaml"), "server: http://127.0.0.1:1\n");
    }

    private static String gateway() {
        return config("home/.config/tree-rename/config");
    }

    private static String direct() {
        return config("direct");
    }

    private static String config(String name) {
        return "--config=" + folder.resolve(name + ".yaml");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        workers.close();
        log.close();
    }

    /**
     * A command that runs as a process. The process uses a separate home folder, which contains a configuration file.
     */
    private record Running(Process process, Path out, Path err) {

        static Running begin(String mainClass, Map<String, String> environment, String... arguments)
                throws IOException {
            String name = UUID.randomUUID().toString();
            Running running = new Running(
                    builder(mainClass, environment, arguments)
                            .redirectOutput(folder.resolve(name + ".out").toFile())
                            .redirectError(folder.resolve(name + ".err").toFile())
                            .start(),
                    folder.resolve(name + ".out"),
                    folder.resolve(name + ".err"));
            return running;
        }

        /**
         * Returns a builder of a process that starts the command with {@code env}. {@code env} restores the default
         * handling of SIGINT, because this JVM may have inherited the setting that ignores SIGINT.
         */
        private static ProcessBuilder builder(String mainClass, Map<String, String> environment, String... arguments) {
            List<String> command = new ArrayList<>(List.of(
                    "env",
                    "--default-signal=INT",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1"));
            command.addAll(List.of(
                    "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                    "-cp",
                    String.join(File.pathSeparator, ClassPath.jars()),
                    mainClass));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command);
            Map<String, String> all = new HashMap<>(environment);
            all.put("HOME", folder.resolve("home").toString());
            builder.environment().keySet().removeIf(name -> name.startsWith("TREE_RENAME_") || name.startsWith("XDG_"));
            builder.environment().putAll(all);
            return builder;
        }

        Console.Output interrupt() throws IOException, InterruptedException {
            assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            return end();
        }

        Console.Output end() throws IOException, InterruptedException {
            assertThat(process.waitFor(1, TimeUnit.MINUTES))
                    .as("the process has ended")
                    .isTrue();
            return new Console.Output(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    private static Console.Output rename(String... arguments) throws IOException, InterruptedException {
        return Running.begin(Console.RENAME, Map.of(), arguments).end();
    }

    private static JsonNode json(Console.Output output) throws JsonProcessingException {
        assertThat(output.code()).as(output.err()).isZero();
        return Es.JSON.readTree(output.out());
    }

    @Test
    void a_person_with_a_token_needs_no_address_of_kafka_and_elasticsearch() throws Exception {
        Tree tree = Tree.create().directories("/a").files("/a/1", "/a/2").index();
        String namespace = "--namespace=" + tree.name();
        String id = UUID.randomUUID().toString();

        JsonNode outcome = json(rename("mv", "/a", "/b", namespace, "--request-id=" + id, "-o", "json"));
        Console.Output decided = rename("mv", "/b", "/c", namespace, "--until=decided");
        Console.Output undecided = rename("mv", "/nowhere", "/d", namespace);

        assertThat(outcome).isEqualTo(log.outcome(id));
        assertThat(outcome.path("moved").asInt()).isEqualTo(3);
        assertThat(outcome.path("requested_by").asText()).isEqualTo("alice");
        assertThat(decided.code()).as(decided.err()).isZero();
        assertThat(decided.out()).startsWith("decided to rename /b to /c; ");
        assertThat(undecided.code()).isEqualTo(1);
        assertThat(undecided.out()).startsWith("rejected: source_not_found: ");
        Awaitility.await("the documents have moved")
                .atMost(Log.PATIENCE)
                .until(() -> rename("find", "/c", namespace).out().equals("/c\n/c/1\n/c/2\n"));
        assertThat(rename("ls", "/", namespace, "-o", "json").out())
                .isEqualTo("[\n{\"path\":\"/c\",\"directory\":true,\"documents\":1,\"below\":2}\n]\n");
        assertThat(rename("status", id).out()).startsWith("/a to /b, request " + id + ", in " + tree.name());
        assertThat(rename("cancel", id).code()).isEqualTo(1);
        for (String context : new String[] {direct(), "--output=table"}) {
            Console.Output undone = rename("undo", id, context);
            assertThat(undone.code()).as(undone.err()).isEqualTo(1);
            assertThat(undone.out()).as("the documents have left /b").startsWith("rejected: source_not_found: ");
        }
        Console.Output forecast = rename("mv", "/c", "/d", namespace, "--dry-run");
        assertThat(forecast.code()).as(forecast.err()).isZero();
        assertThat(forecast.out()).startsWith("would rename /c to /d: 3 documents (3 in ");
        Path file = Files.writeString(folder.resolve("batch.csv"), "/c,/d\n/nowhere,/e\n");
        Console.Output batch = rename("batch", file.toString(), namespace);
        assertThat(batch.code()).as(batch.err()).isEqualTo(1);
        assertThat(batch.out()).contains("2 renames: 1 completed, 1 rejected, 0 failed");
        Console.Output denied = rename("list", "--token=fedcba9876543210");
        assertThat(denied.code()).isEqualTo(3);
        assertThat(denied.err()).contains("accepts no request without a valid token");
    }

    @Test
    void the_gateway_and_the_journal_list_the_same_requests() throws Exception {
        Tree tree = Tree.create().directories("/a", "/p").files("/a/1", "/p/1").index();
        String namespace = "--namespace=" + tree.name();
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/p", holder);
        ObjectNode ended = Requests.rename(tree.name(), "/a", "/b");
        ObjectNode waiting = Requests.rename(tree.name(), "/p", "/q");
        try {
            log.send(0, ended.toString());
            log.outcome(Requests.id(ended));
            log.send(0, waiting.toString());
            Claims.awaitRefusal(tree.name(), Requests.id(waiting));
            Awaitility.await("the first request is closed")
                    .atMost(Log.PATIENCE)
                    .until(
                            () -> Es.entry(Requests.id(ended))
                                    .orElseThrow()
                                    .path("state")
                                    .asText(),
                            "closed"::equals);

            for (String context : List.of(gateway(), direct())) {
                List<String> all =
                        json(rename("list", namespace, context, "-o", "json")).findValuesAsText("request_id");
                assertThat(all.stream().filter(id -> !id.equals(holder)))
                        .as(context)
                        .startsWith(Requests.id(waiting), Requests.id(ended));
                Console.Output running = rename("list", namespace, context, "--running", "--path=/p");
                assertThat(running.out())
                        .as(context)
                        .contains(Requests.id(waiting) + "  prepared")
                        .hasLineCount(2);
                assertThat(rename("list", namespace, context, "--path=/a", "--limit=1")
                                .out())
                        .as(context)
                        .contains("closed: completed", "/a", "/b", "2/2");
                assertThat(rename("list", namespace, context, "--parked"))
                        .as(context)
                        .isEqualTo(new Console.Output(1, "", "rename: no request was found\n"));
                assertThat(rename("watch", "--once", namespace, context).out())
                        .as(context)
                        .contains("/p to /q in " + tree.name() + ": waits, /p is held exclusively by ");
            }
            Console.Output cancelled = rename("cancel", Requests.id(waiting));
            assertThat(cancelled)
                    .isEqualTo(
                            new Console.Output(0, "cancelled: /p to /q, request " + Requests.id(waiting) + "\n", ""));
            assertThat(log.outcome(Requests.id(waiting)).path("message").asText())
                    .contains("alice");
        } finally {
            Holding.release(tree.name(), "/p", holder);
        }
    }

    @Test
    void an_option_overrides_the_environment_which_overrides_the_file() throws Exception {
        Tree tree = Tree.create().directories("/a").index();
        String[] ls = {"ls", "/a", "--namespace=" + tree.name()};
        Map<String, String> nowhere =
                Map.of("TREE_RENAME_CONFIG", folder.resolve("nowhere.yaml").toString());

        assertThat(rename(ls[0], ls[1], ls[2]).code())
                .as("with the file of the user")
                .isEqualTo(1);
        Console.Output environment = Running.begin(Console.RENAME, nowhere, ls).end();
        assertThat(environment.code()).isEqualTo(3);
        assertThat(environment.err()).contains("the gateway http://127.0.0.1:1 does not answer");
        assertThat(Running.begin(Console.RENAME, nowhere, ls[0], ls[1], ls[2], direct())
                        .end()
                        .code())
                .isEqualTo(1);
        assertThat(Running.begin(Console.RENAME, Map.of("ELASTICSEARCH_URL", "http://127.0.0.1:1"), ls[0], ls[1], ls[2])
                        .end()
                        .err())
                .as("the environment has a server, and the file has a gateway")
                .contains("got no answer");
        Console.Output admin = Running.begin(Console.RENAME_ADMIN, Map.of(), "renames", direct(), "--limit=1")
                .end();
        assertThat(admin.code()).as(admin.err()).isZero();
    }

    @Test
    void sigint_ends_each_command_with_130_after_its_clean_up() throws Exception {
        Tree tree = Tree.create()
                .directories("/a", "/b", "/c")
                .files("/a/1", "/b/1", "/c/1")
                .index();
        String namespace = "--namespace=" + tree.name();
        List<String> held = List.of("/a", "/b", "/c");
        List<String> holders =
                held.stream().map(path -> UUID.randomUUID().toString()).toList();
        for (int i = 0; i < held.size(); i++) {
            Holding.ofLiveProcess(tree.name(), held.get(i), holders.get(i));
        }
        List<String> ids =
                List.of(UUID.randomUUID().toString(), UUID.randomUUID().toString());
        Path batch = Files.writeString(folder.resolve("renames.csv"), "/c/1,/c/3\n");
        try {
            List<Running> waiting = List.of(
                    begin(direct(), "mv", "/a", "/d", namespace, "--timeout=10m", "--request-id=" + ids.get(0)),
                    begin(gateway(), "mv", "/b", "/e", namespace, "--timeout=10m", "--request-id=" + ids.get(1)));
            Running sending = begin(direct(), "batch", batch.toString(), namespace, "-o", "json");
            Running watching = begin(gateway(), "watch", namespace);
            Awaitility.await("the renames wait for their locks, and the watch shows them")
                    .atMost(Log.PATIENCE)
                    .until(() -> Claims.in(tree.name()).size() == held.size()
                            && Files.readString(watching.out()).contains(": waits, "));
            Running pausing =
                    Running.begin(Console.RENAME_ADMIN, Map.of(), "pause", "--wait", "--by=the test", direct());
            Awaitility.await("the pause waits")
                    .atMost(Log.PATIENCE)
                    .until(() -> !Files.readString(pausing.err()).isEmpty());

            for (Running one : waiting) {
                Console.Output ended = one.interrupt();
                assertThat(ended.code()).as(ended.err()).isEqualTo(INTERRUPTED);
                assertThat(ended.out()).isEmpty();
                assertThat(ended.err()).startsWith("interrupted before the outcome; request ");
            }
            Console.Output sent = sending.interrupt();
            assertThat(sent.code()).as(sent.err()).isEqualTo(INTERRUPTED);
            assertThat(Es.JSON.readTree(sent.out()).path("interrupted").asBoolean())
                    .isTrue();
            assertThat(sent.err()).contains("interrupted; ", "repeat the command with the same content to continue");
            assertThat(watching.interrupt().code()).isEqualTo(INTERRUPTED);
            Console.Output paused = pausing.interrupt();
            assertThat(paused.code()).as(paused.err()).isEqualTo(INTERRUPTED);
            assertThat(paused.out()).startsWith("workers are paused since ");
        } finally {
            Running.begin(Console.RENAME_ADMIN, Map.of(), "unpause", direct()).end();
            for (int i = 0; i < held.size(); i++) {
                Holding.release(tree.name(), held.get(i), holders.get(i));
            }
        }
        for (String id : ids) {
            assertThat(log.outcome(id).path("status").asText()).isEqualTo("completed");
        }
    }

    private static Running begin(String context, String command, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(arguments));
        all.add(context);
        return Running.begin(Console.RENAME, Map.of(), all.toArray(String[]::new));
    }
}
