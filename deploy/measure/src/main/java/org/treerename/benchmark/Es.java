package org.treerename.benchmark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends plain requests to one Elasticsearch with the HTTP client of the JDK. So the alternatives to tree rename share
 * no code with tree rename. Any thread may call this class.
 */
final class Es implements AutoCloseable {

    static final ObjectMapper JSON = new ObjectMapper();

    /** The timeout of a request. The timeout is long, because one request may rename millions of documents. */
    private static final Duration ANSWER = Duration.ofHours(1);

    private static final int LONGEST_REASON = 500;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI base;

    Es(String url) {
        this.base = URI.create(url + "/");
    }

    /** The status and the body of an answer, and the request that Elasticsearch answered. */
    static final class Answer {

        private final String request;
        private final int status;
        private final byte[] body;

        private Answer(String request, int status, byte[] body) {
            this.request = request;
            this.status = status;
            this.body = body;
        }

        int status() {
            return status;
        }

        byte[] body() {
            return body;
        }

        boolean isOk() {
            return status < 300;
        }

        /** Returns this answer. Throws {@link IllegalStateException} if the status is 300 or higher. */
        Answer orThrow() {
            if (!isOk()) {
                String reason = new String(body, StandardCharsets.UTF_8);
                throw new IllegalStateException(request + ": expected a status below 300, was " + status + ": "
                        + reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
            }
            return this;
        }

        /** Returns the body as JSON. Throws {@link IllegalStateException} if the status is 300 or higher. */
        JsonNode json() {
            orThrow();
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new UncheckedIOException(request + ": expected JSON as the answer", e);
            }
        }
    }

    Answer get(String path) {
        return send("GET", path, "");
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer put(String path, String body) {
        return send("PUT", path, body);
    }

    Answer delete(String path) {
        return send("DELETE", path, "");
    }

    Answer delete(String path, String body) {
        return send("DELETE", path, body);
    }

    private Answer send(String method, String path, String body) {
        return bytes(request(method, path, "application/json", body.getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends a bulk request with these lines as its body, and waits for the answer. */
    Answer bulk(String path, byte[] lines) {
        return bytes(request("POST", path, "application/x-ndjson", lines));
    }

    /** Sends a bulk request, and returns before the answer arrives. */
    CompletableFuture<Answer> bulkAsync(String path, byte[] lines) {
        HttpRequest request = request("POST", path, "application/x-ndjson", lines);
        return client.sendAsync(request, BodyHandlers.ofByteArray()).thenApply(answer -> answered(request, answer));
    }

    private HttpRequest request(String method, String path, String type, byte[] body) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(ANSWER)
                .header("Content-Type", type)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .build();
    }

    private Answer bytes(HttpRequest request) {
        try {
            return answered(request, client.send(request, BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(request + ": no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the answer to " + request, e);
        }
    }

    private static Answer answered(HttpRequest request, HttpResponse<byte[]> answer) {
        return new Answer(request.toString(), answer.statusCode(), answer.body());
    }

    /** Returns the JSON text. */
    static String text(JsonNode json) {
        try {
            return JSON.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
