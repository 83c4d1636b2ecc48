package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.http.HiddenRequests;
import org.treerename.http.Tokens;
import org.treerename.journal.State;
import org.treerename.namespace.Namespace;
import org.treerename.producer.http.Gateway.Limits;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;
import org.treerename.store.NoAnswerException;

class GatewayTest {

    private static final String DOCUMENT = "/v1/openapi.json";
    private static final String ENTRIES = "/v1/namespaces/{namespace}/entries";
    private static final String SEARCH = "/v1/namespaces/{namespace}/search";
    private static final String UNDO = "/v1/renames/{id}/undo";
    private static final String NAMESPACES = "/v1/namespaces";
    private static final String TOKEN = "0123456789abcdef";
    private static final String OTHER = "fedcba9876543210";

    private final OpenGateway gateway = new OpenGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return Json.read(response.body().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void every_answer_is_in_the_openapi_document_and_every_documented_answer_occurs(@TempDir Path folder)
            throws Exception {
        Contract contract = new Contract();
        String one = "/v1/renames/{id}";
        String events = "/v1/renames/{id}/events";

        contract.check(DOCUMENT, gateway.get(DOCUMENT));
        contract.check(DOCUMENT, gateway.get(DOCUMENT + "?x"));
        contract.check(Target.RENAMES, gateway.post(OpenGateway.renaming("r")));
        contract.check(Target.RENAMES, gateway.post("{"));
        contract.check(Target.RENAMES, gateway.post(OpenGateway.renaming("r").replace("/b", "/c")));
        contract.check(
                Target.RENAMES,
                gateway.send(gateway.posting(" ".repeat(Gateway.MAX_BODY + 1)).expectContinue(true)));
        contract.check(Target.RENAMES, gateway.send(gateway.to(Target.RENAMES).POST(BodyPublishers.ofString("{}"))));
        contract.check(Target.RENAMES, gateway.get(Target.RENAMES));
        contract.check(Target.RENAMES, gateway.get(Target.RENAMES + "?limit=0"));
        contract.check(one, gateway.get("/v1/renames/r"));
        contract.check(one, gateway.get("/v1/renames/%FF"));
        contract.check(one, gateway.get("/v1/renames/unknown"));
        contract.check(one, gateway.delete("/v1/renames/%FF"));
        contract.check(one, gateway.delete("/v1/renames/unknown"));
        contract.check(one, gateway.delete("/v1/renames/r"));
        contract.check(one, gateway.get("/v1/renames/r"));
        gateway.post(OpenGateway.renaming("s"));
        gateway.renames.end("s", State.CLOSED, Status.COMPLETED);
        contract.check(one, gateway.delete("/v1/renames/s"));
        contract.check(Target.RENAMES, gateway.get(Target.RENAMES));
        contract.check(events, gateway.get("/v1/renames/r/events"));
        contract.check(events, gateway.get("/v1/renames/%FF/events"));
        contract.check(events, gateway.send(gateway.to("/v1/renames/r/events").header("Accept", "application/json")));

        checkUndo(contract);
        checkBatches(contract);
        gateway.renames.failure = new NoAnswerException("not there", null);
        contract.check(UNDO, gateway.undo("r", ""));
        contract.check(one, gateway.get("/v1/renames/r"));
        contract.check(one, gateway.delete("/v1/renames/r"));
        contract.check(Target.RENAMES, gateway.get(Target.RENAMES));
        gateway.renames.acknowledges = false;
        contract.check(Target.RENAMES, gateway.post(OpenGateway.renaming("r")));
        gateway.renames.failure = new IllegalStateException("a defect that the test makes");
        contract.check(Target.RENAMES, gateway.post(OpenGateway.renaming("r")));
        contract.check(Target.RENAMES, gateway.get(Target.RENAMES));
        contract.check(one, gateway.get("/v1/renames/r"));
        contract.check(one, gateway.delete("/v1/renames/r"));
        contract.check(UNDO, gateway.undo("r", ""));

        checkTrees(contract);

        Tokens tokens = Tokens.of(Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":rename"));
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, tokens)) {
            checkEach(contract, strict, 401);
        }
        checkRights(contract, folder);
        try (OpenGateway busy = new OpenGateway(new Limits(10, 10, 5, 1, 1, 1), null, null)) {
            assertThat(busy.get(DOCUMENT).statusCode()).isEqualTo(200);
            checkEach(contract, busy, 429);
        }
        try (OpenGateway small = new OpenGateway(new Limits(10, 10, 5, 1, 1, 1_000), null, null)) {
            small.streams.follow("r", "me");
            contract.check(events, small.get("/v1/renames/r/events"));
        }
        assertThat(contract.unseen()).isEmpty();
    }

    @Test
    void a_gateway_with_a_file_sends_no_request_for_an_unknown_namespace() throws Exception {
        try (OpenGateway strict = new OpenGateway(Map.of("other", Namespace.ofFiles("other", "other")))) {
            String unknown = OpenGateway.renaming("r").replace("files", "flies");

            HttpResponse<String> one = strict.post(unknown);
            HttpResponse<String> batch = strict.send(strict.to("/v1/batches")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(
                            "{\"renames\":[" + OpenGateway.renaming("s") + "," + unknown + "]}")));
            HttpResponse<String> stored = strict.post(OpenGateway.renaming("t"));

            for (HttpResponse<String> refused : List.of(one, batch)) {
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
                assertThat(json(refused).path("field").asText()).isEqualTo("namespace");
                assertThat(json(refused).path("detail").asText()).startsWith("no namespace has the name flies");
            }
            assertThat(stored.statusCode()).as(stored.body()).isEqualTo(202);
            assertThat(List.of("r", "s")).allMatch(id -> strict.renames.read(id).isEmpty());
        }
    }

    private static void checkRights(Contract contract, Path folder) throws Exception {
        Tokens tokens =
                Tokens.of(Files.writeString(folder.resolve("rights"), "me:" + TOKEN + ":rename@logs,read@terms"));
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, tokens)) {
            for (String namespace : List.of("terms", "files")) {
                var unused = strict.renames.publish(
                        new RenameRequest("of-" + namespace, namespace, "/a", "/b", OnExisting.FAIL, "me"), List.of());
            }
            contract.check(Target.RENAMES, strict.send(with(TOKEN, strict.to(Target.RENAMES))));
            contract.check(Target.RENAMES, strict.send(with(TOKEN, strict.posting(OpenGateway.renaming("s")))));
            contract.check(
                    "/v1/renames/{id}",
                    strict.send(with(TOKEN, strict.to("/v1/renames/of-terms").DELETE())));
            contract.check(UNDO, strict.send(with(TOKEN, strict.undoing("of-terms", ""))));
            contract.check(
                    Target.BATCHES,
                    strict.send(with(TOKEN, strict.posting(Target.BATCHES, batch(OpenGateway.renaming("s"))))));
            assertThat(strict.send(with(TOKEN, strict.posting(Target.LOOKUPS, lookup("of-files"))))
                            .body())
                    .isEqualTo("{\"renames\":[]}");
            contract.check(Target.FORECASTS, strict.send(with(TOKEN, strict.forecasting(OpenGateway.renaming("s")))));
            assertThat(strict.send(with(TOKEN, strict.to(NAMESPACES))).body())
                    .isEqualTo("{\"namespaces\":[{\"name\":\"logs\",\"definition\":{\"index\":\"logs\"}}]}");
            contract.check(ENTRIES, strict.send(with(TOKEN, strict.to("/v1/namespaces/files/entries?path=%2F"))));
            contract.check(SEARCH, strict.send(with(TOKEN, strict.searching("{\"path\":\"/\"}"))));
        }
    }

    private void checkUndo(Contract contract) throws Exception {
        gateway.post(OpenGateway.renaming("moved"));
        gateway.renames.end("moved", State.CLOSED, Status.COMPLETED);
        contract.check(UNDO, gateway.undo("moved", ""));
        contract.check(UNDO, gateway.undo("moved", "{\"version\":0}"));
        contract.check(UNDO, gateway.undo("unknown", ""));
        contract.check(UNDO, gateway.undo("r", ""));
        contract.check(UNDO, gateway.send(gateway.to("/v1/renames/r/undo").POST(BodyPublishers.noBody())));
        contract.check(
                UNDO,
                gateway.send(gateway.undoing("moved", " ".repeat(Gateway.MAX_BODY + 1))
                        .expectContinue(true)));
    }

    private static String batch(String... requests) {
        return "{\"renames\":[" + String.join(",", requests) + "]}";
    }

    private static String lookup(String... ids) {
        return "{\"request_ids\":[\"" + String.join("\",\"", ids) + "\"]}";
    }

    private void checkBatches(Contract contract) throws Exception {
        String large = " ".repeat(Gateway.MAX_BODY + 1);
        String body = batch(OpenGateway.renaming("b1"), OpenGateway.renaming("b2"));
        contract.check(Target.BATCHES, gateway.send(gateway.posting(Target.BATCHES, body)));
        contract.check(Target.BATCHES, gateway.send(gateway.posting(Target.BATCHES, batch())));
        contract.check(Target.BATCHES, gateway.send(gateway.posting(Target.BATCHES, body.replace("/b", "/c"))));
        contract.check(
                Target.BATCHES,
                gateway.send(gateway.posting(Target.BATCHES, large).expectContinue(true)));
        contract.check(Target.BATCHES, gateway.send(gateway.to(Target.BATCHES).POST(BodyPublishers.ofString(body))));
        contract.check(Target.LOOKUPS, gateway.send(gateway.posting(Target.LOOKUPS, lookup("b1", "unknown"))));
        contract.check(Target.LOOKUPS, gateway.send(gateway.posting(Target.LOOKUPS, "{}")));
        contract.check(
                Target.LOOKUPS,
                gateway.send(gateway.posting(Target.LOOKUPS, large).expectContinue(true)));
        contract.check(
                Target.LOOKUPS, gateway.send(gateway.to(Target.LOOKUPS).POST(BodyPublishers.ofString(lookup("b1")))));
        gateway.renames.failure = new NoAnswerException("not there", null);
        contract.check(Target.LOOKUPS, gateway.send(gateway.posting(Target.LOOKUPS, lookup("b1"))));
        gateway.renames.acknowledges = false;
        contract.check(Target.BATCHES, gateway.send(gateway.posting(Target.BATCHES, body)));
        gateway.renames.failure = new IllegalStateException("a defect that the test makes");
        contract.check(Target.LOOKUPS, gateway.send(gateway.posting(Target.LOOKUPS, lookup("b1"))));
        contract.check(Target.BATCHES, gateway.send(gateway.posting(Target.BATCHES, body)));
        gateway.renames.acknowledges = true;
        gateway.renames.failure = null;
    }

    private void checkForecasts(Contract contract) throws Exception {
        String body = OpenGateway.renaming("r");
        contract.check(Target.FORECASTS, gateway.send(gateway.forecasting(body)));
        contract.check(Target.FORECASTS, gateway.send(gateway.forecasting("{}")));
        contract.check(
                Target.FORECASTS,
                gateway.send(
                        gateway.forecasting(" ".repeat(Gateway.MAX_BODY + 1)).expectContinue(true)));
        contract.check(
                Target.FORECASTS, gateway.send(gateway.to(Target.FORECASTS).POST(BodyPublishers.ofString(body))));
        contract.check(NAMESPACES, gateway.get(NAMESPACES));
        contract.check(NAMESPACES, gateway.get(NAMESPACES + "?x"));
        for (RuntimeException failure : List.of(
                new NoAnswerException("not there", null), new IllegalStateException("a defect that the test makes"))) {
            gateway.trees.failure = failure;
            contract.check(Target.FORECASTS, gateway.send(gateway.forecasting(body)));
            contract.check(NAMESPACES, gateway.get(NAMESPACES));
        }
        gateway.trees.failure = null;
    }

    private void checkTrees(Contract contract) throws Exception {
        checkForecasts(contract);
        gateway.trees.points.put("1", "/a/1");
        gateway.trees.points.put("2", "/a/2");
        HttpResponse<String> listed = gateway.get("/v1/namespaces/files/entries?path=%2Fa&limit=1");
        contract.check(ENTRIES, listed);
        contract.check(ENTRIES, gateway.get("/v1/namespaces/files/entries"));
        contract.check(ENTRIES, gateway.get("/v1/namespaces/unknown/entries?path=%2F"));
        contract.check(SEARCH, gateway.search("{\"path\":\"/\"}"));
        contract.check(SEARCH, gateway.search("{\"path\":\"/\",\"count\":true}"));
        contract.check(SEARCH, gateway.search("{}"));
        contract.check(
                SEARCH,
                gateway.send(gateway.searching(" ".repeat(Gateway.MAX_BODY + 1)).expectContinue(true)));
        contract.check(
                SEARCH,
                gateway.send(
                        gateway.to("/v1/namespaces/files/search").POST(BodyPublishers.ofString("{\"path\":\"/\"}"))));
        contract.check(
                SEARCH,
                gateway.send(gateway.to("/v1/namespaces/unknown/search")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"path\":\"/\"}"))));
        String found = json(gateway.search("{\"path\":\"/\",\"limit\":1}"))
                .path("next")
                .asText();
        gateway.trees.points.expire();
        contract.check(
                ENTRIES,
                gateway.get("/v1/namespaces/files/entries?path=%2Fa&after="
                        + json(listed).path("next").asText()));
        contract.check(SEARCH, gateway.search("{\"path\":\"/\",\"after\":\"" + found + "\"}"));
        gateway.trees.failure = new NoAnswerException("not there", null);
        contract.check(ENTRIES, gateway.get("/v1/namespaces/files/entries?path=%2F"));
        contract.check(SEARCH, gateway.search("{\"path\":\"/\"}"));
        gateway.trees.failure = new IllegalStateException("a defect that the test makes");
        contract.check(ENTRIES, gateway.get("/v1/namespaces/files/entries?path=%2F"));
        contract.check(SEARCH, gateway.search("{\"path\":\"/\"}"));
    }

    private static void checkEach(Contract contract, OpenGateway refusing, int status) throws Exception {
        contract.check(Target.RENAMES, refused(refusing, refusing.to(Target.RENAMES), status));
        contract.check(Target.RENAMES, refused(refusing, refusing.posting("{}"), status));
        contract.check("/v1/renames/{id}", refused(refusing, refusing.to("/v1/renames/r"), status));
        contract.check(
                "/v1/renames/{id}",
                refused(refusing, refusing.to("/v1/renames/r").DELETE(), status));
        contract.check("/v1/renames/{id}/events", refused(refusing, refusing.to("/v1/renames/r/events"), status));
        contract.check(UNDO, refused(refusing, refusing.undoing("r", ""), status));
        contract.check(Target.FORECASTS, refused(refusing, refusing.forecasting("{}"), status));
        contract.check(Target.BATCHES, refused(refusing, refusing.posting(Target.BATCHES, "{}"), status));
        contract.check(Target.LOOKUPS, refused(refusing, refusing.posting(Target.LOOKUPS, "{}"), status));
        contract.check(NAMESPACES, refused(refusing, refusing.to(NAMESPACES), status));
        contract.check(DOCUMENT, refused(refusing, refusing.to(DOCUMENT), status));
        contract.check(ENTRIES, refused(refusing, refusing.to("/v1/namespaces/files/entries?path=%2F"), status));
        contract.check(SEARCH, refused(refusing, refusing.searching("{}"), status));
    }

    private static HttpResponse<String> refused(OpenGateway refusing, HttpRequest.Builder request, int status)
            throws Exception {
        HttpResponse<String> response = refusing.send(request);
        assertThat(response.statusCode()).isEqualTo(status);
        return response;
    }

    @Test
    void accepts_a_request_and_shows_it_under_its_id() throws Exception {
        HttpResponse<String> accepted = gateway.post(OpenGateway.renaming("r-1"));

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.headers().firstValue("Location")).contains("/v1/renames/r-1");
        assertThat(json(accepted).path("request_id").asText()).isEqualTo("r-1");
        JsonNode shown = json(gateway.get("/v1/renames/r-1"));
        assertThat(shown.path("state").asText()).isEqualTo("prepared");
        assertThat(shown.path("source").asText()).isEqualTo("/a");
        assertThat(shown.path("requested_by").asText()).isEqualTo("http");
        assertThat(shown.path("outcome").isNull()).isTrue();
    }

    @Test
    void undoes_a_completed_rename_with_one_request_after_it() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        assertThat(json(gateway.undo("r", "")).path("detail").asText()).startsWith("not_decided: ");
        gateway.renames.end("r", State.CLOSED, Status.COMPLETED);

        HttpResponse<String> undone = gateway.undo("r", "{\"version\":7}");

        assertThat(undone.statusCode()).isEqualTo(202);
        assertThat(undone.headers().firstValue("Location")).contains("/v1/renames/undo-r");
        RenameRequest reverse = gateway.renames.request("undo-r");
        assertThat(reverse.source()).isEqualTo("/b");
        assertThat(reverse.destination()).isEqualTo("/a");
        assertThat(reverse.version()).isEqualTo(7);
        assertThat(gateway.renames.after).containsExactly("r");
    }

    @Test
    void refuses_an_undo_that_differs_from_an_earlier_undo() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        gateway.renames.end("r", State.CLOSED, Status.COMPLETED);
        String version = "{\"version\":7}";

        assertThat(gateway.undo("r", version).statusCode()).isEqualTo(202);
        assertThat(gateway.undo("r", version).statusCode()).isEqualTo(202);
        HttpResponse<String> other = gateway.undo("r", "{\"version\":8}");

        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(json(other).path("type").asText()).isEqualTo("urn:tree-rename:problem:request_id_reused");
    }

    @Test
    void an_undo_takes_neither_the_id_nor_the_requester_of_another_waiting_request() throws Exception {
        for (String id : List.of("r", "s")) {
            gateway.post(OpenGateway.renaming(id));
            gateway.renames.end(id, State.CLOSED, Status.COMPLETED);
        }
        gateway.renames.queue(new RenameRequest("undo-r", "files", "/x", "/y", OnExisting.FAIL, "other"));
        gateway.renames.queue(new RenameRequest("undo-s", "files", "/b", "/a", OnExisting.FAIL, "me"));

        assertThat(gateway.undo("r", "").statusCode()).isEqualTo(202);
        assertThat(gateway.undo("s", "").statusCode()).isEqualTo(202);

        assertThat(gateway.renames.request("undo-r~2").requestedBy()).isEqualTo("undo of r");
        assertThat(gateway.renames.request("undo-s").requestedBy()).isEqualTo("me");
    }

    @Test
    void a_batch_sends_all_requests_or_none() throws Exception {
        String valid = OpenGateway.renaming("r1");
        HttpResponse<String> refused = gateway.send(gateway.posting(
                Target.BATCHES, batch(valid, OpenGateway.renaming("r2").replace("\"files\"", "7"))));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(json(refused).path("detail").asText()).startsWith("request 2: ");
        assertThat(gateway.get("/v1/renames/r1").statusCode()).isEqualTo(404);

        HttpResponse<String> sent =
                gateway.send(gateway.posting(Target.BATCHES, batch(valid, OpenGateway.renaming("r2"))));

        assertThat(sent.statusCode()).isEqualTo(202);
        assertThat(json(sent).at("/renames/1/request_id").asText()).isEqualTo("r2");
        assertThat(json(gateway.send(gateway.posting(Target.LOOKUPS, lookup("r1", "r2", "r3"))))
                        .path("renames"))
                .hasSize(2);
    }

    @Test
    void a_forecast_sends_nothing() throws Exception {
        HttpResponse<String> forecast = gateway.send(gateway.forecasting(OpenGateway.renaming("r")));

        assertThat(forecast.statusCode()).isEqualTo(200);
        assertThat(json(forecast).path("documents").asInt()).isEqualTo(3);
        assertThat(json(forecast).at("/obstacles/0/reason").asText()).isEqualTo("destination_exists");
        assertThat(json(gateway.get(Target.RENAMES)).path("renames")).isEmpty();
    }

    @Test
    void shows_a_request_that_no_worker_has_begun_as_queued() throws Exception {
        gateway.renames.queue(new RenameRequest("r", "files", "/a", "/b", OnExisting.FAIL, "me"));

        HttpResponse<String> queued = gateway.get("/v1/renames/r");

        new Contract().check("/v1/renames/{id}", queued);
        assertThat(queued.statusCode()).isEqualTo(200);
        assertThat(json(queued).path("state").asText()).isEqualTo("queued");
        assertThat(json(queued).path("process_id").isNull()).isTrue();
        assertThat(json(queued).path("epoch").asInt(-1)).isZero();
        assertThat(json(queued).path("destination").asText()).isEqualTo("/b");
        assertThat(json(queued).path("requested_by").asText()).isEqualTo("me");
        assertThat(json(queued).path("requested_at").asText()).isEqualTo(InMemoryRenames.ASKED.toString());
    }

    @Test
    void reports_a_request_as_unknown_only_after_a_search_of_the_waiting_requests() throws Exception {
        HttpResponse<String> unknown = gateway.get("/v1/renames/r");
        gateway.renames.isComplete = false;
        HttpResponse<String> notFound = gateway.get("/v1/renames/r");
        gateway.renames.searches = false;
        HttpResponse<String> noAnswer = gateway.get("/v1/renames/r");

        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(json(unknown).path("detail").asText()).startsWith("either the request was never sent");
        assertThat(notFound.statusCode()).isEqualTo(404);
        assertThat(json(notFound).path("detail").asText()).startsWith("the gateway could not search all");
        assertThat(noAnswer.statusCode()).isEqualTo(503);
    }

    @Test
    void the_id_comes_from_the_body_or_the_idempotency_key_or_is_new() throws Exception {
        String nameless = "{\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}";

        assertThat(gateway.post(nameless).headers().firstValue("Location")).contains("/v1/renames/new-1");
        assertThat(gateway.send(gateway.posting(nameless).header("Idempotency-Key", "k 1"))
                        .headers()
                        .firstValue("Location"))
                .contains("/v1/renames/k%201");
        assertThat(gateway.send(gateway.posting(OpenGateway.renaming("r")).header("Idempotency-Key", "r"))
                        .statusCode())
                .isEqualTo(202);
        HttpResponse<String> two =
                gateway.send(gateway.posting(OpenGateway.renaming("r")).header("Idempotency-Key", "k"));
        assertThat(two.statusCode()).isEqualTo(400);
        assertThat(json(two).path("field").asText()).isEqualTo("request_id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/*", "*/*", "application/json, Text/Event-Stream;q=0.5"})
    void events_are_sent_to_each_client_that_accepts_them(String accepted) throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        gateway.delete("/v1/renames/r");

        assertThat(gateway.send(gateway.to("/v1/renames/r/events").header("Accept", accepted)))
                .returns(200, HttpResponse::statusCode)
                .satisfies(events -> assertThat(events.headers().firstValue("Content-Type"))
                        .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream")));
    }

    @Test
    void accepts_the_same_request_again_but_no_other_request_under_its_id() throws Exception {
        assertThat(gateway.post(OpenGateway.renaming("r")).statusCode()).isEqualTo(202);
        assertThat(gateway.post(OpenGateway.renaming("r")).statusCode()).isEqualTo(202);

        HttpResponse<String> other = gateway.post(OpenGateway.renaming("r").replace("/b", "/c"));

        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(json(other).path("type").asText()).endsWith(":request_id_reused");
        assertThat(gateway.renames.request("r").destination()).isEqualTo("/b");
    }

    @Test
    void needs_kafka_and_not_elasticsearch_to_accept_a_request() throws Exception {
        gateway.renames.failure = new NoAnswerException("not there", null);
        assertThat(gateway.post(OpenGateway.renaming("r")).statusCode()).isEqualTo(202);

        gateway.renames.failure = null;
        gateway.renames.acknowledges = false;
        HttpResponse<String> unknown = gateway.post(OpenGateway.renaming("s"));
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(unknown.headers().firstValue("Location")).contains("/v1/renames/s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "..",
                ".",
                "/",
                "a//b/../c",
                "%2F",
                "%",
                "%41",
                "a+b",
                "a b",
                "a;b=c",
                "a?b#c",
                "\u00e4\u4e2d\ud83d\ude00",
                "\"<script>\\",
                "a:b@c",
                "{id}",
                "events",
                "r/events",
                "~-_."
            })
    void anIdOfAnyCharactersIsOneSegmentOfAPath(String id) throws Exception {
        HttpResponse<String> accepted = gateway.post(OpenGateway.renaming(id));
        String location = accepted.headers().firstValue("Location").orElse("");

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(location).matches("/v1/renames/[A-Za-z0-9._~%-]+");
        JsonNode shown = json(gateway.get(location));
        assertThat(shown.path("request_id").asText()).isEqualTo(id);
        assertThat(shown.at("/links/self").asText()).isEqualTo(location);
        gateway.renames.end(id, State.CLOSED, Status.COMPLETED);
        assertThat(gateway.get(shown.at("/links/events").asText()).body()).contains("event:outcome");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/",
                "/v1/renames/",
                "/v1//renames",
                "/v1/renames/r/",
                "/v1/renames/r/other",
                "/v1/renames/r/events/",
                "/v1/renames/../openapi.json",
                "/V1/renames",
                "/v1/renamesx",
                "/metrics",
                "/health/live"
            })
    void answers_404_for_an_unknown_path(String path) throws Exception {
        gateway.post(OpenGateway.renaming("r"));

        assertThat(gateway.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void refuses_an_invalid_id_without_reading_the_journal() throws Exception {
        for (String id : List.of("x".repeat(201), "a%0Ab", "%00", "%C3%28")) {
            HttpResponse<String> shown = gateway.get("/v1/renames/" + id);
            assertThat(shown.statusCode()).as(id).isEqualTo(400);
            assertThat(json(shown).path("field").asText()).isEqualTo("id");
        }
        assertThat(gateway.renames.reads).hasValue(0);
    }

    @Test
    void does_not_repeat_the_request_in_an_error() throws Exception {
        for (HttpResponse<String> response : List.of(
                gateway.get("/v1/%3Cscript%3E"),
                gateway.get("/v1/renames/%3Cscript%3E"),
                gateway.get("/v1/openapi.json?%3Cscript%3E=1"),
                gateway.get("/v1/renames?%3Cscript%3E=1"),
                gateway.get("/v1/renames?state=%3Cscript%3E"),
                gateway.send(gateway.to("/v1/renames").method("SCRIPT", BodyPublishers.noBody())))) {
            assertThat(response.statusCode()).isBetween(400, 499);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.body()).doesNotContainIgnoringCase("script");
        }
    }

    @Test
    void the_answer_to_head_has_no_body() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.at("/").getPort())) {
            String head = "HEAD /v1/renames HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String last = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write((head + last).getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers).startsWith("HTTP/1.1 405 ").contains("\r\n\r\nHTTP/1.1 200 ");
        }
    }

    @Test
    void the_next_page_of_the_list_begins_after_the_previous_page() throws Exception {
        for (int i = 0; i < 5; i++) {
            gateway.post(OpenGateway.renaming("r/" + i));
        }
        gateway.renames.end("r/2", State.CLOSED, Status.COMPLETED);

        List<String> ids = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = json(gateway.get(Target.RENAMES + "?state=prepared&namespace=files&limit=2" + next));
            page.path("renames")
                    .forEach(rename -> ids.add(rename.path("request_id").asText()));
            next = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!next.isEmpty());
        assertThat(ids).containsExactly("r/4", "r/3", "r/1", "r/0");
        assertThat(json(gateway.get(Target.RENAMES + "?namespace=other")).path("renames"))
                .isEmpty();
        assertThat(json(gateway.get(Target.RENAMES + "?since=" + InMemoryRenames.ASKED.plusSeconds(3)))
                        .path("renames"))
                .extracting(rename -> rename.path("request_id").asText())
                .containsExactly("r/2", "r/4", "r/3");
    }

    @Test
    void cancels_a_request_that_no_worker_has_begun() throws Exception {
        gateway.renames.queue(new RenameRequest("r", "files", "/a", "/b", OnExisting.FAIL, "me"));

        HttpResponse<String> cancelled = gateway.delete("/v1/renames/r");

        assertThat(cancelled.statusCode()).as(cancelled.body()).isEqualTo(200);
        assertThat(json(cancelled).path("status").asText()).isEqualTo("cancelled");
        assertThat(json(gateway.get("/v1/renames/r")).path("outcome")).isEqualTo(json(cancelled));
        assertThat(gateway.delete("/v1/renames/never-sent").statusCode()).isEqualTo(404);
    }

    @Test
    void cancels_a_rename_only_if_it_is_not_decided() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        gateway.post(OpenGateway.renaming("s"));
        gateway.renames.move("s", 1, 3);

        HttpResponse<String> cancelled = gateway.delete("/v1/renames/r");
        HttpResponse<String> again = gateway.delete("/v1/renames/r");
        HttpResponse<String> decided = gateway.delete("/v1/renames/s");

        assertThat(cancelled.statusCode()).isEqualTo(200);
        assertThat(json(cancelled).path("status").asText()).isEqualTo("cancelled");
        assertThat(json(cancelled).path("message").asText()).isEqualTo("cancelled by http before it was decided");
        assertThat(json(gateway.get("/v1/renames/r")).path("outcome")).isEqualTo(json(cancelled));
        assertThat(again.body()).isEqualTo(cancelled.body());
        assertThat(decided.statusCode()).isEqualTo(409);
        assertThat(json(decided).path("type").asText()).endsWith(":already_decided");
        assertThat(json(decided).path("detail").asText()).isEqualTo("the rename is moving, and will be finished");
    }

    @Test
    void the_hold_of_a_writer_and_a_placeholder_are_no_renames() throws Exception {
        gateway.renames.hold("writer");
        gateway.renames.place("swept");

        for (String id : List.of("writer", "swept")) {
            assertThat(gateway.get("/v1/renames/" + id).statusCode()).isEqualTo(404);
            assertThat(gateway.delete("/v1/renames/" + id).statusCode()).isEqualTo(404);
        }
        assertThat(json(gateway.get(Target.RENAMES)).path("renames")).isEmpty();
        assertThat(gateway.post(OpenGateway.renaming("writer")).statusCode()).isEqualTo(409);
        assertThat(gateway.post(OpenGateway.renaming("swept")).statusCode()).isEqualTo(202);
    }

    @Test
    void a_stream_sends_progress_and_outcome_and_then_ends() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        gateway.renames.move("r", 1, 3);
        List<String> lines = new ArrayList<>();

        HttpResponse<Stream<String>> events = gateway.client.send(
                gateway.to("/v1/renames/r/events")
                        .header("Last-Event-ID", "17\t")
                        .build(),
                BodyHandlers.ofLines());
        events.body().forEach(line -> {
            lines.add(line);
            if (line.equals("event:progress")) {
                gateway.renames.end("r", State.DONE, Status.COMPLETED);
            }
        });

        assertThat(events.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("event:"))
                .containsExactly("event:decided", "event:progress", "event:outcome");
        List<String> data =
                lines.stream().filter(line -> line.startsWith("data:")).toList();
        assertThat(new Contract().problems("Decision", data.getFirst().substring("data:".length())))
                .isEmpty();
        assertThat(new Contract().problems("Rename", data.get(1).substring("data:".length())))
                .isEmpty();
        assertThat(new Contract().problems("Outcome", data.getLast().substring("data:".length())))
                .isEmpty();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(gateway.streams.size()).isZero());
    }

    @Test
    void a_stream_ends_without_an_outcome_when_the_gateway_stops() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        try (OpenGateway ending = new OpenGateway()) {
            ending.post(OpenGateway.renaming("r"));
            HttpResponse<Stream<String>> events =
                    ending.client.send(ending.to("/v1/renames/r/events").build(), BodyHandlers.ofLines());

            ending.streams.close();

            assertThat(events.body().filter(line -> line.startsWith("event:outcome")))
                    .isEmpty();
        }
    }

    @Test
    void requires_a_token_and_uses_its_name_as_requester(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "# mine\n\nme:" + TOKEN + ":rename\n");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            HttpResponse<String> without = strict.post(OpenGateway.renaming("r"));
            HttpResponse<String> wrong = strict.send(
                    strict.posting(OpenGateway.renaming("r")).header("Authorization", "Bearer " + TOKEN + "x"));
            HttpResponse<String> basic =
                    strict.send(strict.posting(OpenGateway.renaming("r")).header("Authorization", "Basic " + TOKEN));
            assertThat(List.of(without, wrong, basic))
                    .allSatisfy(response -> assertThat(response.statusCode()).isEqualTo(401));
            assertThat(without.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(wrong.headers().firstValue("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");

            HttpResponse<String> right =
                    strict.send(strict.posting(OpenGateway.renaming("r")).header("Authorization", "bearer " + TOKEN));
            assertThat(right.statusCode()).isEqualTo(202);
            assertThat(strict.renames.request("r").requestedBy()).isEqualTo("me");
        }
    }

    @Test
    void a_token_needs_the_right_in_the_namespace_of_the_request(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("tokens"), "reader:" + TOKEN + ":read\nlogs:" + OTHER + ":rename@logs\n");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            var unused = strict.renames.publish(
                    new RenameRequest("r", "files", "/a", "/b", OnExisting.FAIL, "me"), List.of());
            strict.renames.queue(new RenameRequest("q", "files", "/a", "/b", OnExisting.FAIL, "me"));

            assertThat(strict.send(with(TOKEN, strict.to("/v1/renames/r"))).statusCode())
                    .isEqualTo(200);
            assertThat(strict.send(with(TOKEN, strict.to(Target.RENAMES))).statusCode())
                    .isEqualTo(200);
            assertMissing("rename", strict.send(with(TOKEN, strict.posting(OpenGateway.renaming("s")))));
            assertMissing(
                    "rename", strict.send(with(TOKEN, strict.to("/v1/renames/r").DELETE())));

            for (String path : List.of(
                    Target.RENAMES, Target.RENAMES + "?namespace=files", "/v1/namespaces/files/entries?path=%2F")) {
                assertMissing("read", strict.send(with(OTHER, strict.to(path))));
            }
            assertMissing("read", strict.send(with(OTHER, strict.searching("{\"path\":\"/\"}"))));
            assertMissing("rename", strict.send(with(OTHER, strict.posting(OpenGateway.renaming("s")))));
            assertThat(strict.send(with(OTHER, strict.to(Target.RENAMES + "?namespace=logs")))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(strict.send(with(
                                    OTHER,
                                    strict.posting(OpenGateway.renaming("s").replace("files", "logs"))))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(strict.send(with(OTHER, strict.to("/v1/renames/s").DELETE()))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(strict.renames.read("r").orElseThrow().entry().state()).isEqualTo(State.PREPARED);
        }
    }

    @Test
    void an_answer_does_not_show_whether_the_id_of_another_namespace_exists(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "logs:" + OTHER + ":rename@logs\n");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            var unused = strict.renames.publish(
                    new RenameRequest("foreign", "files", "/a", "/b", OnExisting.FAIL, "me"), List.of());
            strict.renames.queue(new RenameRequest("waiting", "files", "/a", "/b", OnExisting.FAIL, "me"));

            for (String id : List.of("foreign", "waiting")) {
                for (Function<String, HttpRequest.Builder> request : List.<Function<String, HttpRequest.Builder>>of(
                        name -> strict.to(Target.pathOf(name)),
                        name -> strict.to(Target.pathOf(name)).DELETE(),
                        name -> strict.undoing(name, ""))) {
                    HttpResponse<String> known = strict.send(with(OTHER, request.apply(id)));
                    HttpResponse<String> unknown = strict.send(with(OTHER, request.apply("unknown")));

                    assertThat(known.statusCode()).isEqualTo(404);
                    assertThat(known.body()).isEqualTo(unknown.body());
                }
            }
            for (String id : List.of("foreign", "waiting", "unknown")) {
                HttpResponse<String> after = strict.send(with(OTHER, strict.posting(renamingAfter("own", id))));
                HttpResponse<String> batch =
                        strict.send(with(OTHER, strict.posting(Target.BATCHES, batch(renamingAfter("own", id)))));

                assertThat(List.of(after.statusCode(), batch.statusCode())).containsOnly(400);
                assertThat(after.body()).contains("\"field\":\"after\"").doesNotContain(id);
            }
            assertThat(strict.send(with(
                                    OTHER,
                                    strict.posting(
                                            Target.BATCHES,
                                            batch(renamingAfter("first"), renamingAfter("second", "first")))))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(strict.send(with(OTHER, strict.posting(renamingAfter("third", "first"))))
                            .statusCode())
                    .isEqualTo(202);
            assertThat(strict.renames.read("own")).isEmpty();
            assertThat(strict.renames.read("foreign").orElseThrow().entry().state())
                    .isEqualTo(State.PREPARED);
        }
    }

    @Test
    void a_predecessor_is_accepted_only_if_the_caller_may_read_it(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "logs:" + OTHER + ":rename@logs\n");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            var unused = strict.renames.publish(
                    new RenameRequest("foreign", "files", "/a", "/b", OnExisting.FAIL, "me"), List.of());
            strict.renames.queue(new RenameRequest("waiting", "files", "/a", "/b", OnExisting.FAIL, "me"));
            strict.send(with(OTHER, strict.posting(renamingAfter("begun"))));
            strict.renames.queue(new RenameRequest("queued", "logs", "/a", "/b", OnExisting.FAIL, "logs"));

            strict.renames.isComplete = false;
            for (String id : List.of("foreign", "waiting", "unknown")) {
                HttpResponse<String> answer =
                        strict.send(with(OTHER, strict.posting(renamingAfter("own", "begun", id, "queued"))));
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).contains("5");
                assertThat(json(answer).path("field").asText()).isEqualTo("after");
            }
            strict.renames.isPermitted = false;
            for (String id : List.of("foreign", "unknown")) {
                assertThat(strict.send(with(OTHER, strict.posting(renamingAfter("own", id))))
                                .statusCode())
                        .isEqualTo(400);
            }
            strict.renames.searches = false;
            for (String id : List.of("foreign", "waiting", "unknown")) {
                assertThat(strict.send(with(OTHER, strict.posting(renamingAfter("own", id))))
                                .statusCode())
                        .isEqualTo(503);
            }
            assertThat(strict.renames.read("own")).isEmpty();
            assertThat(strict.send(with(OTHER, strict.posting(renamingAfter("other", "begun"))))
                            .statusCode())
                    .isEqualTo(202);
        }
    }

    @Test
    void searches_the_waiting_requests_once_for_all_predecessors(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "logs:" + OTHER + ":rename@logs\n");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            strict.renames.isComplete = false;
            strict.send(with(
                    OTHER,
                    strict.posting(
                            Target.BATCHES,
                            batch(renamingAfter("r1", "q1", "q2", "q3"), renamingAfter("r2", "q4", "q5")))));

            assertThat(strict.renames.topicSearches).hasValue(1);
        }
    }

    /** Returns the body of a rename in the namespace {@code logs}. */
    private static String renamingAfter(String id, String... predecessors) {
        return OpenGateway.renaming(id)
                .replace("files", "logs")
                .replace(
                        "}",
                        ",\"after\":["
                                + Stream.of(predecessors)
                                        .map(predecessor -> "\"" + predecessor + "\"")
                                        .collect(Collectors.joining(","))
                                + "]}");
    }

    private static HttpRequest.Builder with(String token, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + token);
    }

    private static void assertMissing(String right, HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode())
                .as(response.request().uri().toString())
                .isEqualTo(403);
        assertThat(json(response).path("type").asText()).isEqualTo("urn:tree-rename:problem:missing_right_" + right);
    }

    @Test
    void a_stream_ends_when_its_token_is_no_longer_valid(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":rename");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            strict.send(with(TOKEN, strict.posting(OpenGateway.renaming("r"))));
            var stream = strict.client.sendAsync(
                    with(TOKEN, strict.to("/v1/renames/r/events")).build(), BodyHandlers.ofString());
            Awaitility.await().until(() -> strict.streams.size() == 1);

            Files.writeString(file, "you:" + OTHER + ":rename");

            assertThat(stream.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void accepts_the_position_of_a_page_with_many_renames_in_progress() throws Exception {
        HttpResponse<String> answer = gateway.get("/v1/namespaces/files/entries?path=%2Fa&after=" + "x".repeat(60_000));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("field").asText()).isEqualTo("after");
    }

    @Test
    void limits_the_guesses_of_tokens(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":rename");
        try (OpenGateway strict = new OpenGateway(new Limits(10, 10, 5, 1, 1, 1), null, Tokens.of(file))) {
            HttpRequest.Builder guess = strict.to(DOCUMENT).header("Authorization", "Bearer " + TOKEN + "x");

            refused(strict, guess, 401);
            assertThat(refused(strict, guess, 429).headers().firstValue("Retry-After"))
                    .contains("1");
        }
    }

    @Test
    void refuses_a_too_large_body_with_and_without_a_content_length_and_for_get() throws Exception {
        String post = "POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        int tooLarge = Gateway.MAX_BODY + 1;

        assertThat(answer(post + "Content-Length: " + tooLarge + "\r\n\r\n")).startsWith("HTTP/1.1 413 ");
        assertThat(answer(post + "Transfer-Encoding: chunked\r\n\r\n1\r\n \r\n" + Integer.toHexString(Gateway.MAX_BODY)
                        + "\r\n"))
                .startsWith("HTTP/1.1 413 ");
        assertThat(answer("GET /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + tooLarge + "\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ");
    }

    @Test
    void an_undo_contains_the_name_of_the_caller_who_requested_it_first(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "alice:" + TOKEN + ":rename\nbob:" + OTHER + ":rename");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            strict.send(with(TOKEN, strict.posting(OpenGateway.renaming("r"))));
            strict.renames.end("r", State.CLOSED, Status.COMPLETED);

            for (String token : List.of(OTHER, TOKEN)) {
                assertThat(strict.send(with(token, strict.undoing("r", "")))
                                .headers()
                                .firstValue("Location"))
                        .contains("/v1/renames/undo-r");
                assertThat(strict.renames.request("undo-r").requestedBy()).isEqualTo("bob");
            }
        }
    }

    @Test
    void the_form_of_a_web_page_cannot_undo_a_rename() throws Exception {
        gateway.post(OpenGateway.renaming("r"));
        gateway.renames.end("r", State.CLOSED, Status.COMPLETED);
        HttpRequest.Builder undo = gateway.to("/v1/renames/r/undo");

        for (BodyPublisher body : List.of(BodyPublishers.noBody(), BodyPublishers.ofString("{}"))) {
            refused(gateway, undo.copy().POST(body), 415);
            for (String type :
                    List.of("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain")) {
                refused(gateway, undo.copy().header("Content-Type", type).POST(body), 415);
            }
        }
        assertThat(gateway.renames.read("undo-r")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://attacker.example", "http://localhost:1", "null"})
    void refuses_the_requests_of_web_pages_without_a_token(String origin) throws Exception {
        gateway.post(OpenGateway.renaming("r"));

        HttpResponse<String> refused =
                refused(gateway, gateway.to("/v1/renames/r").DELETE().header("Origin", origin), 403);

        assertThat(json(refused).path("type").asText()).isEqualTo("urn:tree-rename:problem:foreign_origin");
        assertThat(gateway.renames.read("r").orElseThrow().entry().state()).isEqualTo(State.PREPARED);
    }

    @Test
    void refuses_requests_without_a_token_under_a_foreign_host_name(@TempDir Path folder) throws Exception {
        String read = "GET /v1/openapi.json HTTP/1.1\r\nHost: attacker.example\r\n";

        assertThat(answer(read + "\r\n")).startsWith("HTTP/1.1 421 ");

        Path file = Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":read");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            assertThat(answer(strict, read + "Authorization: Bearer " + TOKEN + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void never_executes_the_body_of_a_request_as_the_next_request(@TempDir Path folder) throws Exception {
        String json = OpenGateway.renaming("hidden");
        String hidden = "POST /v1/renames HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + TOKEN + "\r\nContent-Length: " + json.length() + "\r\n\r\n" + json;
        Path file = Files.writeString(folder.resolve("tokens"), "me:" + TOKEN + ":rename");
        try (OpenGateway strict = new OpenGateway(OpenGateway.LIMITS, null, Tokens.of(file))) {
            for (OpenGateway each : List.of(gateway, strict)) {
                for (String path : List.of("/v1/openapi.json", "/v1/renames/r", "/v1/renames/r/undo", "/nowhere")) {
                    for (String request : HiddenRequests.to(path, "Content-Type: application/json\r\n", hidden)) {
                        assertThat(HiddenRequests.answers(each.at("/").getPort(), request))
                                .as(request)
                                .isLessThanOrEqualTo(1);
                        assertThat(each.renames.read("hidden")).as(request).isEmpty();
                    }
                }
            }
        }
    }

    @Test
    void answers_the_request_after_a_body_that_is_not_used() throws Exception {
        String last = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

        assertThat(HiddenRequests.answers(
                        gateway.at("/").getPort(),
                        "DELETE /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
                                + "x".repeat(1_000) + last))
                .isEqualTo(2);
    }

    private String answer(String request) throws IOException {
        return answer(gateway, request);
    }

    /**
     * Returns the first line of the answer. Does not wait for the end of the connection, because the gateway keeps the
     * connection open to read the rest of the request.
     */
    private static String answer(OpenGateway gateway, String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.at("/").getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void refuses_a_request_above_the_rate_until_the_next_second() throws Exception {
        try (OpenGateway busy = new OpenGateway(new Limits(10, 10, 5, 1, 1, 1), null, null)) {
            assertThat(busy.get(DOCUMENT).statusCode()).isEqualTo(200);
            HttpResponse<String> tooMany = refused(busy, busy.to(DOCUMENT), 429);

            assertThat(tooMany.headers().firstValue("Retry-After")).contains("1");
            busy.advance(Duration.ofSeconds(1));
            assertThat(busy.get(DOCUMENT).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void counts_each_request_of_a_batch_and_of_a_lookup() throws Exception {
        String[] ids =
                Stream.iterate(0, i -> i + 1).limit(5).map(String::valueOf).toArray(String[]::new);
        String[] renames = Stream.of(ids).map(OpenGateway::renaming).toArray(String[]::new);
        try (OpenGateway busy = new OpenGateway(new Limits(10, 10, 5, 1, 1, 2), null, null)) {
            for (HttpRequest.Builder many :
                    List.of(busy.posting(Target.BATCHES, batch(renames)), busy.posting(Target.LOOKUPS, lookup(ids)))) {
                assertThat(busy.send(many).statusCode()).isBetween(200, 202);
                assertThat(refused(busy, busy.to(DOCUMENT), 429).headers().firstValue("Retry-After"))
                        .contains("2");
                busy.advance(Duration.ofSeconds(2));
                assertThat(busy.get(DOCUMENT).statusCode()).isEqualTo(200);
                busy.advance(Duration.ofSeconds(1));
            }
        }
    }

    @Test
    void counts_the_answers_by_method_and_status() throws Exception {
        gateway.get(DOCUMENT);
        gateway.get("/v1/nothing");
        gateway.delete("/v1/renames/r");
        gateway.send(gateway.to("/v1/renames/r").method("PATCH", BodyPublishers.noBody()));

        assertThat(gateway.meters.shown())
                .contains("tree_rename_http_requests_total{method=\"DELETE\",status=\"404\"} 1.0")
                .contains("tree_rename_http_requests_total{method=\"other\",status=\"405\"} 1.0")
                .contains("tree_rename_http_requests_total{method=\"GET\",status=\"200\"} 1.0")
                .contains("tree_rename_http_requests_total{method=\"GET\",status=\"404\"} 1.0")
                .contains("tree_rename_http_streams 0.0");
    }
}
