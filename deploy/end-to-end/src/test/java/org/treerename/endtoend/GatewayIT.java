package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renames over HTTP, through a real gateway, on real servers. */
final class GatewayIT {

    private static final String TOKEN = "0123456789abcdef";

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

    @Test
    void aRenameIsAskedForAtOneGatewayAndFollowedAtTheNext() throws IOException {
        Tree tree = Tree.create()
                .directories("/a")
                .files(IntStream.range(0, 3_000).mapToObj(i -> "/a/" + i).toArray(String[]::new))
                .index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b").put("request_id", "x/" + UUID.randomUUID());
        String location;
        try (GatewayProcess first = GatewayProcess.start()) {
            HttpResponse<String> accepted = first.send(first.posting(request));
            assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
            location = accepted.headers().firstValue("Location").orElseThrow();
        }
        assertThat(location).isEqualTo("/v1/renames/" + Requests.id(request).replace("/", "%2F"));

        try (GatewayProcess second = GatewayProcess.start()) {
            List<JsonNode> outcomes = second.events(location + "/events", "outcome");
            assertThat(outcomes).hasSize(1);
            assertThat(outcomes.getFirst()).isEqualTo(log.outcome(Requests.id(request)));
            assertThat(outcomes.getFirst().path("status").asText()).isEqualTo("completed");
            assertThat(outcomes.getFirst().path("moved").asInt()).isEqualTo(3_001);
            assertThat(outcomes.getFirst().path("requested_by").asText()).isEqualTo("http");

            assertThat(second.send(second.posting(request)).statusCode()).isEqualTo(202);
            assertThat(second.send(second.posting(request.deepCopy().put("destination", "/c")))
                            .statusCode())
                    .isEqualTo(409);
            JsonNode shown = GatewayProcess.json(second.get(location));
            assertThat(shown.at("/progress/moved").asInt()).isEqualTo(3_001);
            assertThat(shown.path("outcome")).isEqualTo(outcomes.getFirst());
            assertThat(second.log()).doesNotContain("\tat ");
        }
    }

    @Test
    void onlyWhoHasATokenIsAnsweredAndNotTooOften(@TempDir Path folder) throws IOException {
        Tree tree = Tree.create().directories("/a").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        Path tokens = Files.writeString(folder.resolve("tokens"), "nightly job:" + TOKEN);
        try (GatewayProcess gateway =
                GatewayProcess.start("--http-token-file=" + tokens, "--http-requests-per-second=5")) {
            assertThat(gateway.send(gateway.posting(request)).statusCode()).isEqualTo(401);
            assertThat(gateway.send(gateway.posting(request).header("Authorization", "Bearer x" + TOKEN))
                            .statusCode())
                    .isEqualTo(401);

            assertThat(gateway.send(gateway.posting(request).header("Authorization", "Bearer " + TOKEN))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(log.outcome(Requests.id(request)).path("requested_by").asText())
                    .isEqualTo("nightly job");
            Awaitility.await()
                    .until(() -> gateway.send(gateway.to("/v1/openapi.json").header("Authorization", "Bearer " + TOKEN))
                                    .statusCode()
                            == 429);

            String other = "fedcba9876543210";
            Files.writeString(tokens, "me:" + other);
            Awaitility.await()
                    .until(() -> gateway.send(gateway.to("/v1/openapi.json").header("Authorization", "Bearer " + other))
                                    .statusCode()
                            == 200);
            assertThat(gateway.send(gateway.to("/v1/openapi.json").header("Authorization", "Bearer " + TOKEN))
                            .statusCode())
                    .isIn(401, 429);
            assertThat(gateway.log()).doesNotContain(TOKEN, other);
        }
    }
}
