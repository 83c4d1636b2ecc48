package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpDoorTest {

    private final HttpClient http = HttpClient.newHttpClient();
    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    private final Health health = new Health();
    private final HttpDoor door =
            HttpDoor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> "a_metric 1.0\n", health);

    @AfterEach
    void close() {
        door.close();
        http.close();
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(door.url() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private void assertAnswer(String path, int status, String body) throws IOException, InterruptedException {
        assertThat(send("GET", path)).returns(status, HttpResponse::statusCode).returns(body, HttpResponse::body);
    }

    @Test
    void metrics_are_shown_as_they_are() throws IOException, InterruptedException {
        assertAnswer("/metrics", 200, "a_metric 1.0\n");
        assertThat(send("HEAD", "/metrics").body()).isEmpty();
    }

    @Test
    void what_fails_is_named_with_its_reason() throws IOException, InterruptedException {
        Pulse pulse = new Pulse(time);
        health.aliveIf("loop", pulse.within(Duration.ofSeconds(5), "the last round ended"));
        health.readyIf("group", () -> Optional.of("not \"joined\""));
        health.readyIf("other", Optional::empty);

        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");
        assertAnswer("/health/ready", 503, "{\"status\":\"down\",\"failing\":{\"group\":\"not \\\"joined\\\"\"}}\n");

        time.advance(Duration.ofMillis(5_001));
        assertAnswer(
                "/health/live",
                503,
                "{\"status\":\"down\",\"failing\":{\"loop\":\"the last round ended 5001 ms ago, expected within 5000 ms\"}}\n");

        pulse.beat();
        health.readyIf("group", Optional::empty);
        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");
        assertAnswer("/health/ready", 200, "{\"status\":\"up\"}\n");
    }

    @Test
    void what_else_is_to_be_known_is_no_failure() throws IOException, InterruptedException {
        health.tell("pause", () -> Optional.of("paused by me"));
        health.tell("nothing", Optional::empty);

        assertAnswer("/health/ready", 200, "{\"status\":\"up\",\"notes\":{\"pause\":\"paused by me\"}}\n");
        assertAnswer("/health/live", 200, "{\"status\":\"up\"}\n");

        health.clear();
        assertAnswer("/health/ready", 200, "{\"status\":\"up\"}\n");
    }

    @Test
    void a_check_that_fails_to_look_is_one_requests_failure() throws IOException, InterruptedException {
        health.aliveIf("broken", () -> {
            throw new IllegalStateException("broken");
        });

        assertThat(send("GET", "/health/live").statusCode()).isEqualTo(500);
        assertAnswer("/metrics", 200, "a_metric 1.0\n");
    }

    @Test
    void nothing_else_is_there() throws IOException, InterruptedException {
        assertThat(send("GET", "/metrics/x").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/metrics").statusCode()).isEqualTo(405);
    }

    @Test
    void a_port_that_is_taken_is_wrong_use() {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(door.url()).getPort());

        assertThatThrownBy(() -> HttpDoor.open(taken, () -> "", health))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot listen on");
    }
}
