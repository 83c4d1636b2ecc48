package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.http.Tokens;
import org.treerename.journal.State;
import org.treerename.producer.cli.Main;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;

/**
 * Tests of the command {@code rename} with {@code --server}. The command has no address of Kafka or of Elasticsearch.
 */
final class CommandsThroughGatewayTest {

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path folder;

    private final OpenGateway gateway = new OpenGateway();

    private record Ended(int code, String out, String err) {}

    @AfterEach
    void close() {
        gateway.close();
    }

    private Ended run(String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add("--server=" + gateway.at(""));
        return runAt(words.toArray(String[]::new));
    }

    private static Ended runAt(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Ended(code, out.toString(), err.toString());
    }

    private CompletableFuture<Ended> begin(String... arguments) {
        // the stream of an earlier command may still be open
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> gateway.streams.size() == 0);
        CompletableFuture<Ended> ended = CompletableFuture.supplyAsync(() -> run(arguments));
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> gateway.streams.size() == 1);
        return ended;
    }

    @Test
    void mv_waits_for_the_outcome_and_prints_it_as_it_was_published() throws Exception {
        CompletableFuture<Ended> line = begin("mv", "/a", "/b", "--request-id=r/1", "--requested-by=me");
        assertThat(gateway.renames.request("r/1").requestedBy()).isEqualTo("me");
        gateway.renames.move("r/1", 1, 3);
        gateway.renames.end("r/1", State.CLOSED, Status.COMPLETED);
        Ended first = line.get(20, TimeUnit.SECONDS);
        Ended json = run("mv", "/a", "/b", "--request-id=r/1", "--requested-by=me", "-o", "json");

        assertThat(first.code()).isZero();
        assertThat(first.out()).startsWith("renamed /a to /b: 3 documents moved (request r/1, ");
        assertThat(json.out())
                .isEqualTo(gateway.renames
                                .read("r/1")
                                .orElseThrow()
                                .entry()
                                .ended()
                                .orElseThrow()
                                .outcome() + "\n");
    }

    @Test
    void status_shows_a_request_that_no_worker_has_begun() {
        gateway.renames.queue(new RenameRequest("r1", "files", "/a", "/b", OnExisting.FAIL, "me"));

        Ended status = run("status", "r1");

        assertThat(status.code()).isZero();
        assertThat(status.out())
                .startsWith("/a to /b, request r1, in files\nqueued: no worker has begun the request\nrequested at ");
    }

    @Test
    void undo_sends_the_reverse_and_waits_for_its_outcome() throws Exception {
        assertThat(run("mv", "/a", "/b", "--request-id=r1", "--no-wait").code()).isZero();
        assertThat(run("undo", "r1"))
                .isEqualTo(new Ended(
                        1,
                        "not reversible: not_decided: the rename is not decided yet; it can be cancelled (/a to /b,"
                                + " request r1)\n",
                        ""));
        gateway.renames.end("r1", State.CLOSED, Status.COMPLETED);

        assertThat(run("cancel", "r1", "--undo", "--no-wait", "--document-version=7")
                        .out())
                .isEqualTo("undo-r1\n");
        assertThat(gateway.renames.request("undo-r1").version()).isEqualTo(7);
        gateway.renames.end("undo-r1", State.CLOSED, Status.COMPLETED);
        Ended undone = run("undo", "r1", "--document-version=7");
        Ended unknown = run("undo", "r2");

        assertThat(undone.code()).isZero();
        assertThat(undone.out()).startsWith("renamed /b to /a: 3 documents moved (request undo-r1, ");
        assertThat(unknown.code()).isEqualTo(5);
    }

    @Test
    void batch_sends_the_lines_and_waits_for_their_outcomes() throws Exception {
        Path file = Files.writeString(folder.resolve("renames.csv"), "/a,/b,r1\n/c,/d,r2\n");
        CompletableFuture<Ended> batch =
                CompletableFuture.supplyAsync(() -> run("batch", file.toString(), "--requested-by=me"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> gateway.renames.read("r2").isPresent());
        assertThat(gateway.renames.request("r1").requestedBy()).isEqualTo("me");
        gateway.renames.end("r1", State.CLOSED, Status.COMPLETED);
        gateway.renames.end("r2", State.REJECTED, Status.REJECTED);

        Ended ended = batch.get(60, TimeUnit.SECONDS);

        assertThat(ended.out())
                .startsWith(
                        "line 2: rejected: it has ended (request r2)\n2 renames: 1 completed, 1 rejected, 0 failed (");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void a_batch_stops_if_the_gateway_refuses_a_request() throws Exception {
        gateway.post(OpenGateway.renaming("r1"));
        Path file = Files.writeString(folder.resolve("renames.csv"), "/a,/other,r1\n/c,/d,r2\n");

        Ended ended = run("batch", file.toString());

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).contains("another request was sent under this id");
        assertThat(gateway.renames.read("r2")).isEmpty();
    }

    @Test
    void a_dry_run_prints_the_forecast_of_the_gateway() {
        Ended forecast = run("mv", "/a", "/b", "--dry-run");

        assertThat(forecast).isEqualTo(new Ended(1, """
                would rename /a to /b: 3 documents (3 in files)
                would be rejected: destination_exists: /b exists
                """, ""));
    }

    @Test
    void mv_until_decided_ends_with_the_commit_or_with_an_earlier_end() throws Exception {
        CompletableFuture<Ended> decided = begin("mv", "/a", "/b", "--request-id=r1", "--until=decided");
        gateway.renames.move("r1", 1, 3);
        Ended first = decided.get(20, TimeUnit.SECONDS);
        CompletableFuture<Ended> rejected = begin("mv", "/a", "/b", "--request-id=r2", "--until=decided");
        // begin() may have counted the stream of r1, because this stream can end late; so wait for request r2 itself
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> gateway.renames.read("r2").isPresent());
        gateway.renames.end("r2", State.REJECTED, Status.REJECTED);

        assertThat(first.out()).startsWith("decided to rename /a to /b; the documents move now (request r1, ");
        assertThat(first.code()).isZero();
        assertThat(rejected.get(20, TimeUnit.SECONDS))
                .isEqualTo(new Ended(1, "rejected: it has ended (request r2)\n", ""));
    }

    @Test
    void mv_without_a_wait_prints_the_id_and_passes_all_fields_on() {
        Ended sent = run("mv", "/a", "/b", "--request-id=r1", "--after=r0", "--replace", "--no-wait", "-o", "json");

        assertThat(sent).isEqualTo(new Ended(0, "{\"request_id\":\"r1\"}\n", ""));
        assertThat(gateway.renames.after).containsExactly("r0");
        assertThat(run("mv", "/a", "/c", "--request-id=r1", "--no-wait").err())
                .contains("refuses the request: request_id: another request was sent under this id");
    }

    @Test
    void mv_explains_what_to_do_without_an_outcome_in_time() {
        Ended ended = run("mv", "/a", "/b", "--request-id=r1", "--timeout=300ms");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err())
                .isEqualTo("no outcome within 300ms; request r1 may still be processed; send the same request with"
                        + " --request-id 'r1' to wait again; the request is processed only once; to see whether"
                        + " it waits, moves or is parked, run rename status 'r1'; to list the live workers, run"
                        + " rename-admin processes\n");
    }

    @Test
    void mv_reports_why_the_events_of_the_gateway_cannot_be_read() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/v1/renames", exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(202, 2);
                exchange.getResponseBody().write("{}".getBytes(StandardCharsets.US_ASCII));
            }
            exchange.close();
        });
        other.start();
        try {
            String server = "http://127.0.0.1:" + other.getAddress().getPort();

            Ended ended = runAt("mv", "/a", "/b", "--request-id=r1", "--timeout=5s", "--server=" + server);

            assertThat(ended.code()).isEqualTo(3);
            assertThat(ended.err())
                    .startsWith("no outcome within 5s: the gateway " + server + " does not answer: ")
                    .contains("; request r1 may still be processed; send the same request with --request-id 'r1'");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void reports_that_kafka_behind_the_gateway_does_not_acknowledge() {
        gateway.renames.acknowledges = false;

        Ended ended = run("mv", "/a", "/b", "--request-id=r1");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err())
                .contains("Kafka has not acknowledged request r1, but may have received it; a request")
                .contains("request r1 may still be processed; send the same request with --request-id 'r1'");
    }

    @Test
    void mv_prints_the_new_request_id_if_a_proxy_has_lost_the_answer() throws IOException {
        Ended ended = atServer(502, "<html>", "text/html", "mv", "/a", "/b", "--no-wait");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err())
                .contains(" to POST /v1/renames, found status 502 from another server; check the servers between")
                .containsPattern("; request [0-9a-f-]{36} may still be processed; send the same request with");
    }

    @Test
    void mv_prints_the_request_id_if_the_gateway_refuses_the_events_of_an_accepted_request() throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/v1/renames", exchange -> {
            boolean isPost = exchange.getRequestMethod().equals("POST");
            String body = isPost ? "{}" : "{\"type\":\"urn:tree-rename:problem:unauthorized\"}";
            exchange.sendResponseHeaders(isPost ? 202 : 401, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        other.start();
        try {
            Ended ended = runAt(
                    "mv",
                    "/a",
                    "/b",
                    "--request-id=r1",
                    "--server=http://127.0.0.1:" + other.getAddress().getPort());

            assertThat(ended.code()).isEqualTo(3);
            assertThat(ended.err())
                    .startsWith("cannot read the events of the rename: ")
                    .contains("accepts no request without a valid token")
                    .contains("request r1 may still be processed; send the same request with --request-id 'r1'");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void status_and_cancel_print_what_they_print_without_a_gateway() {
        run("mv", "/a", "/b", "--request-id=r1", "--no-wait");
        run("mv", "/a", "/b", "--request-id=r2", "--no-wait");
        gateway.renames.move("r2", 1, 3);

        Ended status = run("status", "r2");
        Ended json = run("status", "r2", "-o", "json");
        Ended cancelled = run("cancel", "r1");
        Ended again = run("cancel", "r1", "-o", "json");
        Ended decided = run("cancel", "r2");

        assertThat(status.code()).isZero();
        assertThat(status.out())
                .startsWith("/a to /b, request r2, in files\n"
                        + "moving: the rename is decided, and its documents are moving\n"
                        + "1 of 3 documents moved, in 1 pass\nowned by worker-1, which is unknown\n");
        assertThat(json.out())
                .startsWith("{\"request_id\":\"r2\",")
                .doesNotContain("links")
                .contains("\"seconds\":");
        assertThat(cancelled).isEqualTo(new Ended(0, "cancelled: /a to /b, request r1\n", ""));
        assertThat(again.out()).contains("\"answer\":\"cancelled\"", "\"status\":\"cancelled\"");
        assertThat(decided)
                .isEqualTo(new Ended(
                        1, "already decided: it is moving, and will be finished (/a to /b, request r2)\n", ""));
        assertThat(run("cancel", "r1", "--requested-by=me").code()).isEqualTo(2);
        assertThat(run("status", "other").code()).isEqualTo(5);
        assertThat(run("cancel", "other", "-o", "json"))
                .isEqualTo(new Ended(5, "{\"request_id\":\"other\",\"answer\":\"unknown\"}\n", ""));
    }

    @Test
    void list_and_watch_read_all_pages_of_the_gateway() {
        for (int i = 0; i < 103; i++) {
            run("mv", "/a/" + i, "/b", "--request-id=r" + i, "--no-wait");
        }
        gateway.renames.move("r7", 1, 3);
        gateway.renames.end("r8", State.CLOSED, Status.COMPLETED);

        assertThat(run("list", "--limit=200").out()).hasLineCount(104);
        Ended limited = run("list", "--limit=102");
        assertThat(limited.out()).hasLineCount(103);
        assertThat(limited.err()).isEqualTo("rename: the list may be incomplete; a larger --limit shows more\n");
        assertThat(run("list", "--path=/a/7", "--state=moving").out())
                .contains("r7 ")
                .hasLineCount(2);
        assertThat(run("list", "--path=/nowhere")).isEqualTo(new Ended(1, "", "rename: no request was found\n"));
        assertThat(run("watch", "--once", "--limit=7").out())
                .hasLineCount(7)
                .startsWith("/a/0 to /b in files: about to begin\n/a/1 to /b ");
        assertThat(run("watch", "--once", "--limit=1000").out())
                .hasLineCount(102)
                .contains("/a/7 to /b in files: 1 of 3 documents, 33 %\n");
        assertThat(run("watch", "--once", "--namespace=other", "-o", "json").out())
                .isEqualTo("[]\n");
    }

    @Test
    void ls_and_find_read_all_pages_of_the_gateway() {
        for (int i = 1; i <= 1_005; i++) {
            gateway.trees.points.put("d" + i, "/a/" + i);
        }
        gateway.trees.points.put("deep", "/b/sub/1");

        assertThat(run("ls", "/a", "--limit=2000").out()).hasLineCount(1_006);
        assertThat(run("ls", "/b").out())
                .isEqualTo("KIND       DOCUMENTS  BELOW  PATH\ndirectory  0          1      /b/sub\n");
        assertThat(run("find", "/b")).isEqualTo(new Ended(0, "/b/sub/1\n", ""));
        assertThat(run("find", "/a", "--limit=1002").out()).hasLineCount(1_002);
        assertThat(run("find", "/a", "--count")).isEqualTo(new Ended(0, "1005\n", ""));
        assertThat(run("find", "/a", "--count", "-o", "json").out()).isEqualTo("{\"count\":1005}\n");
        assertThat(run("find", "/nowhere"))
                .isEqualTo(new Ended(1, "", "rename: nothing was found at /nowhere in files\n"));
        assertThat(run("ls", "/a", "--namespace=other").code()).isEqualTo(2);
        assertThat(run("find", "/a", "--query={").err()).contains("expected --query to be JSON, was {");
    }

    @Test
    void a_token_is_read_from_each_place_and_names_the_requester() throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens"), "alice:" + TOKEN + ":rename\n");
        Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        try (OpenGateway closed = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(tokens))) {
            String server = "--server=" + closed.at("");
            Ended none = runAt("list", server);
            Ended wrong = runAt("list", server, "--token=fedcba9876543210");
            Ended option = runAt("mv", "/a", "/b", "--request-id=r1", "--no-wait", server, "--token=" + TOKEN);
            Ended named = runAt(
                    "mv",
                    "/a",
                    "/b",
                    "--request-id=r2",
                    "--no-wait",
                    "--requested-by=me",
                    server,
                    "--token-file=" + file);

            assertThat(none)
                    .isEqualTo(new Ended(
                            3,
                            "",
                            "rename: the gateway " + closed.at("") + " accepts no request without a valid token; set a"
                                    + " token with --token-file, TREE_RENAME_TOKEN or --token\n"));
            assertThat(wrong.code()).isEqualTo(3);
            assertThat(wrong.err()).doesNotContain("fedcba9876543210");
            assertThat(option.code()).as(option.err()).isZero();
            assertThat(closed.renames.request("r1").requestedBy()).isEqualTo("alice");
            assertThat(named.code()).as(named.err()).isZero();
            assertThat(closed.renames.request("r2").requestedBy()).isEqualTo("alice for me");
            StringWriter out = new StringWriter();
            Path config = Files.writeString(
                    folder.resolve("config.yaml"), "server: '" + closed.at("") + "'\ntoken-file: token\n");
            int code = Main.run(
                    Map.of("TREE_RENAME_CONFIG", config.toString()),
                    new PrintWriter(out, true),
                    new PrintWriter(out, true),
                    "list");
            assertThat(code).as(out.toString()).isZero();
        }
    }

    private static Ended atServer(int status, String body, @Nullable String type, String... arguments)
            throws IOException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            if (type != null) {
                exchange.getResponseHeaders().set("Content-Type", type);
            }
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        other.start();
        try {
            List<String> words = new ArrayList<>(List.of(arguments));
            words.add("--server=http://127.0.0.1:" + other.getAddress().getPort() + "/");
            return runAt(words.toArray(String[]::new));
        } finally {
            other.stop(0);
        }
    }

    @Test
    void reports_a_server_without_the_endpoint_or_without_an_answer() throws IOException {
        Ended website = atServer(404, "<html>", "text/html", "list");
        Ended page = atServer(200, "<html>", "text/html", "ls", "/a");
        Ended older = atServer(
                404, "{\"type\":\"urn:tree-rename:problem:not_found\"}", "application/problem+json", "status", "r1");
        Ended gone = runAt("status", "r1", "--server=http://127.0.0.1:1");
        Ended events = atServer(404, "{\"type\":\"urn:tree-rename:problem:not_found\"}", null, "mv", "/a", "/b");

        assertThat(website.code()).isEqualTo(3);
        assertThat(website.err())
                .contains("expected a rename-gateway of this version at http://")
                .contains(", found an answer to GET /v1/renames with status 404; check --server");
        assertThat(page.err()).contains("found an answer to GET /v1/namespaces/files/entries with status ");
        assertThat(older.err()).contains("found an answer to GET /v1/renames/r1 with status 404");
        assertThat(events.err()).contains("found an answer to POST /v1/renames with status 404");
        assertThat(gone.code()).isEqualTo(3);
        assertThat(gone.err())
                .startsWith("the gateway http://127.0.0.1:1 does not answer: ")
                .contains("check --server, and whether the gateway runs");
    }

    @Test
    void follows_the_rename_again_after_an_overload_and_after_a_stream_that_ends_early() throws IOException {
        run("mv", "/a", "/b", "--request-id=r1", "--no-wait");
        gateway.renames.end("r1", State.CLOSED, Status.COMPLETED);
        String outcome = gateway.renames
                .read("r1")
                .orElseThrow()
                .entry()
                .ended()
                .orElseThrow()
                .outcome();
        List<String> answers = new ArrayList<>(List.of(
                "{\"type\":\"urn:tree-rename:problem:overloaded\"}",
                ": still here\n\nevent:progress\ndata:{\"request_id\":\"r1\"}\n\n",
                "event:unknown\ndata:{\"request_id\":\"r1\"}\n\n",
                "event:outcome\ndata:" + outcome + "\n\n"));
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/v1/renames", exchange -> {
            boolean isPost = exchange.getRequestMethod().equals("POST");
            String body = isPost ? "{}" : answers.removeFirst();
            exchange.getResponseHeaders().set("Retry-After", "0");
            exchange.sendResponseHeaders(isPost ? 202 : body.startsWith("{") ? 503 : 200, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        proxy.start();
        try {
            Ended ended = runAt(
                    "mv",
                    "/a",
                    "/b",
                    "--request-id=r1",
                    "--server=http://127.0.0.1:" + proxy.getAddress().getPort());

            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.out()).startsWith("renamed /a to /b: 3 documents moved (request r1, ");
            assertThat(answers).isEmpty();
        } finally {
            proxy.stop(0);
        }
    }
}
