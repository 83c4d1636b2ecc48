package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests renames over HTTP through a real gateway on real servers. */
final class GatewayIT {

    private static final String TOKEN = "0123456789abcdef";
    private static final int FILES = 300;

    private static Log log;
    private static Workers workers;
    private static Janitors janitors;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() {
        Tree.create();
        log = Log.open();
        workers = Workers.start(1, "--lock-wait=10m");
        janitors = Janitors.start(1);
        gateway = GatewayProcess.start();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        janitors.close();
        workers.close();
        log.close();
    }

    @Test
    void a_rename_that_is_requested_at_one_gateway_is_followed_at_another() throws IOException {
        Tree tree = Tree.create()
                .directories("/a")
                .files(IntStream.range(0, FILES).mapToObj(i -> "/a/" + i).toArray(String[]::new))
                .index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b").put("request_id", "x/" + UUID.randomUUID());
        String location;
        try (GatewayProcess first = GatewayProcess.start()) {
            HttpResponse<String> accepted = first.send(first.posting(request));
            assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
            location = accepted.headers().firstValue("Location").orElseThrow();
        }
        assertThat(location).isEqualTo("/v1/renames/" + Requests.id(request).replace("/", "%2F"));

        List<JsonNode> outcomes = gateway.events(location + "/events", "outcome");
        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.getFirst()).isEqualTo(log.outcome(Requests.id(request)));
        assertThat(outcomes.getFirst().path("status").asText()).isEqualTo("completed");
        assertThat(outcomes.getFirst().path("moved").asInt()).isEqualTo(FILES + 1);
        assertThat(outcomes.getFirst().path("requested_by").asText()).isEqualTo("http");

        assertThat(gateway.send(gateway.posting(request)).statusCode()).isEqualTo(202);
        assertThat(gateway.send(gateway.posting(request.deepCopy().put("destination", "/c")))
                        .statusCode())
                .isEqualTo(409);
        JsonNode shown = GatewayProcess.json(gateway.get(location));
        assertThat(shown.path("moved").asInt()).isEqualTo(FILES + 1);
        assertThat(shown.path("outcome")).isEqualTo(outcomes.getFirst());
        assertThat(gateway.log()).doesNotContain("\tat ");
    }

    @Test
    void lists_renames_page_by_page() {
        Tree tree = Tree.create().directories("/a", "/b", "/c").index();
        List<String> requested = new ArrayList<>();
        for (String source : List.of("/a", "/b", "/c")) {
            ObjectNode request = Requests.rename(tree.name(), source, source + "-renamed");
            requested.addFirst(Requests.id(request));
            assertThat(gateway.send(gateway.posting(request)).statusCode()).isEqualTo(202);
            assertThat(gateway.events("/v1/renames/" + Requests.id(request) + "/events", "outcome"))
                    .hasSize(1);
        }

        List<String> listed = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = GatewayProcess.json(gateway.get("/v1/renames?limit=2&namespace=" + tree.name() + after));
            page.path("renames")
                    .forEach(rename -> listed.add(rename.path("request_id").asText()));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());

        assertThat(listed).isEqualTo(requested);
        assertThat(found("state=parked&namespace=" + tree.name())).isEmpty();
        assertThat(found("since=9999-12-31T23:59:59Z")).isEmpty();
        // this cursor contains the largest possible time, and the id r
        assertThat(found("limit=1&after=OTk5OTk5OTk5OTk5OTk5OnI")).hasSize(1);
    }

    private static JsonNode found(String query) {
        HttpResponse<String> response = gateway.get("/v1/renames?" + query);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return GatewayProcess.json(response).path("renames");
    }

    @Test
    void cancels_a_request_that_waits_for_locks_and_refuses_to_cancel_a_decided_one() {
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), "/a", holder);
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String path = "/v1/renames/" + Requests.id(request);
        try {
            gateway.send(gateway.posting(request));
            Awaitility.await("the locks of the request are refused")
                    .atMost(Log.PATIENCE)
                    .until(() -> GatewayProcess.json(gateway.get(path))
                                    .path("refusals")
                                    .asInt()
                            > 0);
            JsonNode waiting = GatewayProcess.json(gateway.get(path));
            assertThat(waiting.path("state").asText()).isEqualTo("prepared");
            assertThat(waiting.path("process_state").asText()).isEqualTo("live");
            assertThat(waiting.path("refused_by").asText()).isEqualTo(holder);

            HttpResponse<String> cancelled = gateway.send(gateway.to(path).DELETE());
            assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
            assertThat(GatewayProcess.json(cancelled)).isEqualTo(log.outcome(Requests.id(request)));
            assertThat(GatewayProcess.json(cancelled).path("status").asText()).isEqualTo("cancelled");
            assertThat(gateway.send(gateway.to(path).DELETE()).body()).isEqualTo(cancelled.body());

            Holding.release(tree.name(), "/a", holder);
            ObjectNode other = Requests.rename(tree.name(), "/a", "/b");
            gateway.send(gateway.posting(other));
            assertThat(log.outcome(Requests.id(other)).path("status").asText()).isEqualTo("completed");
            HttpResponse<String> decided =
                    gateway.send(gateway.to("/v1/renames/" + Requests.id(other)).DELETE());
            assertThat(decided.statusCode()).isEqualTo(409);
            assertThat(GatewayProcess.json(decided).path("type").asText()).endsWith(":already_decided");
            assertThat(gateway.send(gateway.to("/v1/renames/" + UUID.randomUUID())
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(404);
        } finally {
            Holding.release(tree.name(), "/a", holder);
        }
        assertThat(tree.paths().values()).containsExactlyInAnyOrder("/b", "/b/1");
    }

    @Test
    void answers_callers_with_a_token_and_limits_their_requests(@TempDir Path folder) throws IOException {
        Tree tree = Tree.create().directories("/a").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        Path tokens = Files.writeString(folder.resolve("tokens"), "nightly job:" + TOKEN + ":rename");
        try (GatewayProcess guarded =
                GatewayProcess.start("--http-token-file=" + tokens, "--http-requests-per-second=5")) {
            assertThat(guarded.send(guarded.posting(request)).statusCode()).isEqualTo(401);
            assertThat(guarded.send(guarded.posting(request).header("Authorization", "Bearer x" + TOKEN))
                            .statusCode())
                    .isEqualTo(401);

            assertThat(guarded.send(guarded.posting(request).header("Authorization", "Bearer " + TOKEN))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(log.outcome(Requests.id(request)).path("requested_by").asText())
                    .isEqualTo("nightly job");
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> guarded.send(guarded.to("/v1/openapi.json").header("Authorization", "Bearer " + TOKEN))
                                    .statusCode()
                            == 429);

            String other = "fedcba9876543210";
            Files.writeString(tokens, "me:" + other + ":read");
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> guarded.send(guarded.to("/v1/openapi.json").header("Authorization", "Bearer " + other))
                                    .statusCode()
                            == 200);
            assertThat(guarded.send(guarded.to("/v1/openapi.json").header("Authorization", "Bearer " + TOKEN))
                            .statusCode())
                    .isIn(401, 429);
            assertThat(guarded.log()).doesNotContain(TOKEN, other);
        }
    }
}
