package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.http.HiddenRequests;
import org.treerename.installation.Installation;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;

@Timeout(60)
final class ConsoleServerTest {

    private static final String BEARER = "Bearer " + OpenConsole.TOKEN;

    private static final List<String> ACTIONS =
            List.of("fence", "replay", "cancel", "retry-parked", "abandon", "pause", "unpause");

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                            + " require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Permissions-Policy", "camera=(), geolocation=(), microphone=()");

    private final OpenConsole console = new OpenConsole(true);

    @AfterEach
    void close() {
        console.close();
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }

    @Test
    void serves_each_file_with_its_type_and_without_references_to_other_sites() throws Exception {
        for (var file : new Pages(Installation.DEFAULT).all().entrySet()) {
            HttpResponse<String> response = console.get("/console/" + file.getKey());
            assertThat(response.statusCode()).as(file.getKey()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains(file.getValue().type());
            assertThat(response.body())
                    .as(file.getKey())
                    .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                    .doesNotContainPattern("(src|href)=\"(https?:)?//")
                    .doesNotContainPattern("@import|url\\(");
        }
        String page = console.get("/console/").body();
        assertThat(page).isEqualTo(console.get("/console/index.html").body());
        assertThat(page).doesNotContainPattern("<script(?![^>]* src=)|<style|\\sstyle=|\\son[a-z]+=");
    }

    @Test
    void sends_the_security_headers_with_each_response() throws Exception {
        for (HttpResponse<String> response : List.of(
                console.get("/console/"),
                console.get("/console/api/now"),
                console.get("/nothing"),
                console.send(console.posting("/console/api/fence", "{}")))) {
            HEADERS.forEach((name, value) ->
                    assertThat(response.headers().allValues(name)).as(name).containsExactly(value));
            assertThat(response.headers().firstValue("Server")).isEmpty();
        }
        assertThat(console.get("/console/api/now").headers().firstValue("Cache-Control"))
                .contains("no-store");
        assertThat(console.get("/console/").headers().allValues("Cache-Control"))
                .containsExactly("no-cache");
    }

    @Test
    void does_not_send_unchanged_content_again() throws Exception {
        String tag =
                console.get("/console/console.js").headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again =
                console.send(console.to("/console/console.js").header("If-None-Match", tag));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();

        HttpResponse<String> now = console.get("/console/api/now");
        HttpResponse<String> same = console.send(console.to("/console/api/now")
                .header("If-None-Match", now.headers().firstValue("ETag").orElseThrow()));
        assertThat(same.statusCode()).isEqualTo(304);
    }

    @Test
    void returns_the_data_of_the_stores() throws Exception {
        console.stage.begins("worker-1");
        console.stage.journal.create(JournalStep.ATTEMPT, Stage.rename("r1", State.PREPARED, 1));

        JsonNode now = json(console.get("/console/api/now"));
        JsonNode renames = json(console.get("/console/api/renames?phase=waiting"));

        assertThat(now.at("/answer/processes/0/process_id").asText()).isEqualTo("worker-1");
        assertThat(now.path("problem").isNull()).isTrue();
        assertThat(now.path("at").asText()).isNotEmpty();
        assertThat(renames.at("/answer/renames/0/request_id").asText()).isEqualTo("r1");
        assertThat(json(console.get("/console/api/locks?namespace=nowhere&path=/a"))
                        .path("problem")
                        .asText())
                .contains("there is no namespace nowhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nothing",
                "/console/nothing",
                "/console/api",
                "/console/api/",
                "/console/api/nothing",
                "/console/../console/console.js/x",
                "/console/Views.class",
                "/console/%2e%2e/Main.class",
                "/console//console.js",
                "/console/console.js%00",
                "/metrics"
            })
    void returns_404_for_other_paths(String path) throws Exception {
        assertThat(console.get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void returns_the_allowed_methods_if_a_method_is_not_allowed() throws Exception {
        HttpResponse<String> put = console.send(console.to("/console/").PUT(BodyPublishers.ofString("x")));
        HttpResponse<String> get = console.get("/console/api/fence");
        HttpResponse<String> post = console.send(console.posting("/console/api/now", "{}"));

        assertThat(List.of(put, get, post))
                .allSatisfy(response -> assertThat(response.statusCode()).isEqualTo(405));
        assertThat(get.headers().firstValue("Allow")).contains("POST");
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(console.send(console.to("/console/").method("HEAD", BodyPublishers.noBody()))
                        .body())
                .isEmpty();
    }

    @Test
    void executes_no_action_without_a_valid_token() throws Exception {
        String body = "{\"process_id\":\"worker-1\",\"place\":\"0@1\",\"request_id\":\"r1\",\"since\":\"now\"}";
        for (String action : ACTIONS) {
            String path = "/console/api/" + action;
            assertThat(console.send(console.posting(path, body)).statusCode()).isEqualTo(401);
            assertThat(console.send(console.posting(path, body).header("Authorization", BEARER + "x"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(console.send(console.posting(path, body).header("Authorization", "Basic " + OpenConsole.TOKEN))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(console.send(console.posting(path, body).header("Cookie", "token=" + OpenConsole.TOKEN))
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(console.done).isEmpty();

        for (String action : ACTIONS) {
            HttpResponse<String> response =
                    console.send(console.posting("/console/api/" + action, body).header("Authorization", BEARER));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(json(response).path("words").asText()).isEqualTo("it is done");
        }
        assertThat(console.done)
                .containsExactly(
                        "fence worker-1 by me",
                        "replay 0@1 by me",
                        "cancel r1 by me",
                        "retry-parked r1",
                        "abandon r1 by me",
                        "pause by me",
                        "unpause now");
    }

    @Test
    void refuses_each_action_to_a_token_without_the_right_to_operate() throws Exception {
        for (String action : ACTIONS) {
            HttpResponse<String> response = console.send(console.posting("/console/api/" + action, "{}")
                    .header("Authorization", "Bearer " + OpenConsole.READER));

            assertThat(response.statusCode()).as(action).isEqualTo(403);
            assertThat(json(response).path("type").asText()).isEqualTo("urn:tree-rename:problem:missing_right_operate");
        }
        assertThat(console.done).isEmpty();
    }

    /**
     * A page of another web site can send a form to the console. But the page cannot choose the headers of the HTTP
     * request.
     */
    @Test
    void refuses_a_form_of_another_page() throws Exception {
        for (String action : ACTIONS) {
            HttpResponse<String> form = console.send(console.to("/console/api/" + action)
                    .header("Content-Type", "text/plain")
                    .header("Authorization", BEARER)
                    .POST(BodyPublishers.ofString("{\"process_id\":\"worker-1\"}")));
            assertThat(form.statusCode()).as(action).isEqualTo(415);
        }
        HttpResponse<String> audit = console.send(console.to("/console/api/audit")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("")));

        assertThat(audit.statusCode()).isEqualTo(415);
        assertThat(console.done).isEmpty();
    }

    @Test
    void only_shows_data_if_no_tokens_are_configured() throws Exception {
        try (OpenConsole shows = new OpenConsole(false)) {
            HttpResponse<String> response = shows.send(shows.posting("/console/api/fence", "{\"process_id\":\"p\"}")
                    .header("Authorization", BEARER));
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(shows.done).isEmpty();
            assertThat(shows.get("/console/api/now").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void reports_an_action_without_an_answer_as_not_known() throws Exception {
        console.answers = false;

        HttpResponse<String> response = console.send(
                console.posting("/console/api/cancel", "{\"request_id\":\"r\"}").header("Authorization", BEARER));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(json(response).path("title").asText()).contains("not known");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"process_id\":\"\"}", "{\"process_id\":{}}", "null", "\"p\""})
    void refuses_a_body_without_a_subject(String body) throws Exception {
        HttpResponse<String> response =
                console.send(console.posting("/console/api/fence", body).header("Authorization", BEARER));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(console.done).isEmpty();
    }

    @Test
    void names_the_field_that_an_action_requires() throws Exception {
        Map<String, String> fields = Map.of("replay", "place", "retry-parked", "request_id", "unpause", "since");
        for (var field : fields.entrySet()) {
            HttpResponse<String> response =
                    console.send(console.posting("/console/api/" + field.getKey(), "{\"process_id\":\"x\"}")
                            .header("Authorization", BEARER));

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(json(response).path("title").asText()).endsWith("a text in the field " + field.getValue());
        }
    }

    @Test
    void refuses_a_body_that_is_too_large() throws Exception {
        // the server closes the connection without reading the body, so the client must wait for the answer
        HttpResponse<String> response = console.send(console.posting("/console/api/fence", " ".repeat(Api.MAX_BODY + 1))
                .header("Authorization", BEARER)
                .expectContinue(true));

        assertThat(response.statusCode()).isEqualTo(413);
    }

    @Test
    void runs_an_audit_without_a_token_and_shows_the_findings() throws Exception {
        console.findings.add(new Finding(Kind.HOLD, "words"));
        assertThat(json(console.get("/console/api/audit")).path("at").isNull()).isTrue();

        assertThat(console.send(console.posting("/console/api/audit", "{}")).statusCode())
                .isEqualTo(200);

        JsonNode shown;
        do {
            shown = json(console.get("/console/api/audit"));
        } while (shown.path("at").isNull());
        assertThat(shown.at("/findings/0/text").asText()).isEqualTo("words");
    }

    @Test
    void does_not_repeat_the_request_in_an_error() throws Exception {
        for (HttpResponse<String> response : List.of(
                console.get("/console/%3Cscript%3E"),
                console.get("/console/api/%3Cscript%3E"),
                console.get("/console/api/renames?%3Cscript%3E=1"),
                console.get("/console/api/renames?phase=%3Cscript%3E"),
                console.send(console.to("/console/").method("SCRIPT", BodyPublishers.noBody())))) {
            assertThat(response.statusCode()).isBetween(400, 499);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(response.body().toLowerCase(Locale.ROOT)).doesNotContain("script");
        }
    }

    /**
     * An attacker can make the host name of another web site point to this machine (DNS rebinding). A page of that site
     * must not read data from the console.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "attacker.example",
                "attacker.example:80",
                "127.0.0.1.attacker.example",
                "localhost.attacker.example",
                ""
            })
    void refuses_requests_under_a_foreign_host_name(String host) throws Exception {
        assertThat(raw("GET /console/api/now HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .matches("HTTP/1.1 4(21|00)\\b.*");
        assertThat(raw("GET /console/api/now HTTP/1.1\r\nHost: localhost:1\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void never_executes_the_body_of_a_request_as_the_next_request() throws Exception {
        String hidden = "POST /console/api/pause HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: " + BEARER + "\r\nContent-Length: 2\r\n\r\n{}";
        for (String path : List.of("/console/", "/console/api/now", "/console/api/audit", "/nowhere")) {
            for (String request : HiddenRequests.to(path, "", hidden)) {
                assertThat(HiddenRequests.answers(console.at("/").getPort(), request))
                        .as(request)
                        .isLessThanOrEqualTo(1);
                assertThat(console.done).as(request).isEmpty();
            }
        }
    }

    @Test
    void refuses_the_page_of_another_site_without_a_token() throws Exception {
        HttpRequest.Builder audit =
                console.posting("/console/api/audit", "{}").header("Origin", "https://attacker.example");

        assertThat(console.send(audit.copy()).statusCode()).isEqualTo(403);
        assertThat(console.send(audit.header("Authorization", BEARER)).statusCode())
                .isEqualTo(200);
        assertThat(console.send(console.posting("/console/api/audit", "{}")
                                .header("Origin", "http://" + console.at("/").getAuthority()))
                        .statusCode())
                .isEqualTo(200);
    }

    /** Sends the request and returns the first line of the response. */
    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), console.at("/").getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return String.valueOf(answer.readLine());
        }
    }
}
