package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Tests requests that wait in the request topic, because no worker runs. The tests use real gateways on real servers.
 */
final class QueuedIT {

    @Test
    void each_gateway_shows_a_request_as_queued_until_a_worker_begins_it() {
        String group = Group.atTheEndOfTheLog().option();
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String path = "/v1/renames/" + Requests.id(request);
        try (Log log = Log.open();
                GatewayProcess other = GatewayProcess.start(group)) {
            try (GatewayProcess first = GatewayProcess.start(group)) {
                assertThat(first.send(first.posting(request)).statusCode()).isEqualTo(202);
                assertQueued(first, path);
            }
            assertQueued(other, path);
            try (GatewayProcess restarted = GatewayProcess.start(group)) {
                assertQueued(restarted, path);
            }
            assertThat(other.get("/v1/renames/never-sent").statusCode()).isEqualTo(404);

            try (Workers workers = Workers.start(1, group)) {
                List<JsonNode> outcomes = other.events(path + "/events", "outcome");
                assertThat(outcomes).containsExactly(log.outcome(Requests.id(request)));
                Awaitility.await("the end of the rename")
                        .atMost(Log.PATIENCE)
                        .until(() -> GatewayProcess.json(other.get(path))
                                .path("state")
                                .asText()
                                .equals("closed"));
            }
        }
    }

    @Test
    void each_gateway_knows_a_request_as_soon_as_one_gateway_has_accepted_it() {
        String group = Group.atTheEndOfTheLog().option();
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        try (GatewayProcess first = GatewayProcess.start(group);
                GatewayProcess other = GatewayProcess.start(group)) {
            for (int i = 0; i < 5; i++) {
                ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
                String path = "/v1/renames/" + Requests.id(request);
                // both gateways have just read the topic when the request arrives
                assertThat(first.get("/v1/renames/never-sent").statusCode()).isEqualTo(404);
                assertThat(other.get("/v1/renames/never-sent").statusCode()).isEqualTo(404);

                assertThat(first.send(first.posting(request)).statusCode()).isEqualTo(202);

                for (GatewayProcess gateway : List.of(first, other)) {
                    HttpResponse<String> shown = gateway.get(path);
                    assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void a_request_that_no_worker_has_read_is_cancelled() {
        String group = Group.atTheEndOfTheLog().option();
        Tree tree = Tree.create().directories("/a").files("/a/1").index();
        ObjectNode request = Requests.rename(tree.name(), "/a", "/b");
        String path = "/v1/renames/" + Requests.id(request);
        try (Log log = Log.open();
                GatewayProcess gateway = GatewayProcess.start(group)) {
            ChangeCheck changeCheck = ChangeCheck.of(tree);
            assertThat(gateway.send(gateway.posting(request)).statusCode()).isEqualTo(202);
            assertQueued(gateway, path);

            HttpResponse<String> cancelled = gateway.send(gateway.to(path).DELETE());

            assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
            try (Workers workers = Workers.start(1, group)) {
                assertThat(GatewayProcess.json(cancelled)).isEqualTo(log.outcome(Requests.id(request)));
                assertThat(tree.paths().values()).containsExactly("/a", "/a/1");
                changeCheck.assertGood(0);
            }
        }
        tree.assertNothingLeft();
    }

    /** The first answers of a gateway that has just started may come before it has read all waiting requests. */
    private static void assertQueued(GatewayProcess gateway, String path) {
        Awaitility.await("the gateway shows the queued request")
                .atMost(Log.PATIENCE)
                .untilAsserted(() -> {
                    HttpResponse<String> shown = gateway.get(path);
                    assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
                    assertThat(GatewayProcess.json(shown).path("state").asText())
                            .isEqualTo("queued");
                    assertThat(GatewayProcess.json(shown).path("destination").asText())
                            .isEqualTo("/b");
                });
    }
}
