package org.treerename.checker;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.treerename.installation.Installation;

/**
 * An HTTP client for one Elasticsearch cluster. The class sends requests with the HTTP client of the JDK. So the
 * checker shares no client code with the services that wrote the data.
 */
public final class ElasticsearchHttp implements AutoCloseable {

    /** A mapper without Jackson's default limits, because Elasticsearch stores values of any length and depth. */
    public static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .build());

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofMinutes(2);
    private static final int LONGEST_REASON = 500;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    private final URI base;
    private final Installation installation;

    /** Creates a client for the installation without a prefix. */
    public ElasticsearchHttp(String url) {
        this(url, Installation.DEFAULT);
    }

    /** @param installation the installation whose control index and topics are read */
    public ElasticsearchHttp(String url, Installation installation) {
        this.base = URI.create(url.endsWith("/") ? url : url + "/");
        this.installation = installation;
    }

    Installation installation() {
        return installation;
    }

    /** The status and the text of a response, and the request that Elasticsearch answered. */
    public record Answer(String request, int status, String text) {

        public boolean isOk() {
            return status < 300;
        }

        /** Returns the response as JSON. Throws an exception if the status is 300 or higher. */
        public JsonNode json() {
            try {
                return MAPPER.readTree(orThrow());
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(
                        request + ": expected a JSON response, found "
                                + text.substring(0, Math.min(text.length(), LONGEST_REASON)),
                        e);
            }
        }

        String orThrow() {
            if (!isOk()) {
                throw new IllegalStateException(request + ": expected a status below 300, found " + status + ": "
                        + text.substring(0, Math.min(text.length(), LONGEST_REASON)));
            }
            return text;
        }
    }

    public Answer get(String path) {
        return send("GET", path, "application/json", BodyPublishers.noBody());
    }

    public Answer post(String path) {
        return send("POST", path, "application/json", BodyPublishers.noBody());
    }

    public Answer post(String path, JsonNode body) {
        return send("POST", path, "application/json", BodyPublishers.ofString(body.toString()));
    }

    public Answer put(String path, JsonNode body) {
        return send("PUT", path, "application/json", BodyPublishers.ofString(body.toString()));
    }

    public Answer delete(String path, JsonNode body) {
        return send("DELETE", path, "application/json", BodyPublishers.ofString(body.toString()));
    }

    /** Sends a bulk request with these lines as its body. */
    public Answer postLines(String path, byte[] lines) {
        return send("POST", path, "application/x-ndjson", BodyPublishers.ofByteArray(lines));
    }

    private Answer send(String method, String path, String type, BodyPublisher body) {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(ANSWER)
                .header("Content-Type", type)
                .method(method, body)
                .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Answer(method + " " + request.uri(), response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + request.uri() + " failed without a response", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + method + " " + request.uri() + " ran", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
