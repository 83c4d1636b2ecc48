package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.Health;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.ManualTime;

class ManagementServerTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final Health health = new Health();
    private final ManagementServer server = ManagementServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> "a_metric 1.0\n", health);

    @AfterEach
    void close() {
        server.close();
        http.close();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private void assertAnswer(String path, int status, String body) throws IOException, InterruptedException {
        assertThat(send("GET", path)).returns(status, HttpResponse::statusCode).returns(body, HttpResponse::body);
    }

    @Test
    void the_server_limits_the_time_the_size_and_the_number_of_requests() {
        assertThat(System.getProperties())
                .containsEntry("sun.net.httpserver.maxReqTime", "5")
                .containsEntry("sun.net.httpserver.maxRspTime", "30")
                .containsEntry("sun.net.httpserver.maxReqHeaderSize", "16384")
                .containsEntry("sun.net.httpserver.maxReqHeaders", "64")
                .containsEntry("jdk.httpserver.maxConnections", "100");
    }

    @Test
    void the_url_contains_the_address_of_the_settings() throws UnknownHostException {
        for (String address : List.of("0.0.0.0", "127.0.0.1")) {
            try (ManagementServer all =
                    ManagementServer.open(new InetSocketAddress(InetAddress.getByName(address), 0), () -> "", health)) {
                assertThat(all.url()).startsWith("http://" + address + ":");
            }
        }
    }

    @Test
    void shows_the_metrics_unchanged() throws IOException, InterruptedException {
        assertAnswer("/metrics", 200, "a_metric 1.0\n");
        assertThat(send("HEAD", "/metrics").body()).isEmpty();
    }

    @Test
    void names_each_failing_check_with_its_reason() throws IOException, InterruptedException {
        LastSeen lastRound = new LastSeen(time);
        health.aliveIf("loop", lastRound.within(Duration.ofSeconds(5), "the last round ended"));
        health.readyIf("group", () -> Optional.of("not \"joined\""));
        health.readyIf("other", Optional::empty);
        health.begun();

        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");
        assertAnswer("/health/ready", 503, "{\"status\":\"down\",\"failing\":{\"group\":\"not \\\"joined\\\"\"}}\n");

        time.advance(Duration.ofMillis(5_001));
        assertAnswer(
                "/health/live",
                503,
                "{\"status\":\"down\",\"failing\":{\"loop\":\"the last round ended 5001 ms ago, expected within 5000 ms\"}}\n");

        lastRound.beat();
        health.readyIf("group", Optional::empty);
        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");
        assertAnswer("/health/ready", 200, "{\"status\":\"up\"}\n");
    }

    @Test
    void shows_notes_without_a_failure() throws IOException, InterruptedException {
        health.begun();
        health.report("pause", () -> Optional.of("paused by me"));
        health.report("nothing", Optional::empty);

        assertAnswer("/health/ready", 200, "{\"status\":\"up\",\"notes\":{\"pause\":\"paused by me\"}}\n");
        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");

        health.clear();
        health.begun();
        assertAnswer("/health/ready", 200, "{\"status\":\"up\"}\n");
    }

    @Test
    void a_process_that_has_not_begun_is_alive_and_not_ready() throws IOException, InterruptedException {
        String notBegun = "{\"status\":\"down\",\"failing\":{\"begun\":\"the process has not begun to work yet\"}}\n";
        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");
        assertAnswer("/health/ready", 503, notBegun);

        health.begun();
        assertAnswer("/health/ready", 200, "{\"status\":\"up\"}\n");

        health.clear();
        assertAnswer("/health/ready", 503, notBegun);
    }

    @Test
    void a_check_that_throws_fails_only_one_request() throws IOException, InterruptedException {
        health.aliveIf("broken", () -> {
            throw new IllegalStateException("broken");
        });

        assertProblem(send("GET", "/health/live"), 500, "Internal Server Error");
        assertAnswer("/metrics", 200, "a_metric 1.0\n");
    }

    private void assertProblem(HttpResponse<String> answer, int status, String title) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}\n");
    }

    @Test
    void answers_other_paths_with_404_and_other_methods_with_405() throws IOException, InterruptedException {
        assertProblem(send("GET", "/metrics/x"), 404, "Not Found");
        assertProblem(send("GET", "/%3Cscript%3E"), 404, "Not Found");
        assertProblem(send("POST", "/nowhere"), 404, "Not Found");
        assertProblem(send("GET", "/"), 404, "Not Found");
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "ANY")) {
            HttpResponse<String> refused = send(method, "/metrics");
            assertProblem(refused, 405, "Method Not Allowed");
            assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
        }
    }

    @Test
    void refuses_a_request_with_a_body() throws IOException, InterruptedException {
        for (HttpRequest.BodyPublisher body : List.of(
                HttpRequest.BodyPublishers.ofString("x"),
                HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString("chunked")))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/metrics"))
                    .method("GET", body)
                    .build();
            assertProblem(http.send(request, BodyHandlers.ofString()), 413, "Content Too Large");
        }
    }

    @Test
    void never_executes_the_body_of_a_request_as_the_next_request() throws IOException {
        int port = URI.create(server.url()).getPort();
        String hidden = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for (String path : List.of("/metrics", "/health/live", "/nowhere")) {
            for (String request : HiddenRequests.to(path, "", hidden)) {
                assertThat(HiddenRequests.answers(port, request)).as(request).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void no_answer_is_cached_or_interpreted_as_a_page_or_names_the_server() throws IOException, InterruptedException {
        for (String path : List.of("/metrics", "/health/live", "/health/ready", "/nowhere")) {
            HttpHeaders headers = send("GET", path).headers();
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("Cache-Control")).contains("no-store");
            assertThat(headers.firstValue("Content-Security-Policy")).contains("default-src 'none'");
            assertThat(headers.firstValue("Server")).isEmpty();
        }
    }

    @Test
    void reports_a_port_in_use_as_wrong_use() {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());

        assertThatThrownBy(() -> ManagementServer.open(taken, () -> "", health))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot listen on");
    }
}
