package org.treerename.endtoend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.treerename.testservers.TestServers;

/** The real Elasticsearch, over plain HTTP. */
final class Es {

    static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final ObjectMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Es() {}

    /** As JSON that can carry a lone surrogate. */
    static String ascii(JsonNode json) {
        try {
            return ASCII.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode get(String path) {
        return send("GET", path, "");
    }

    static JsonNode put(String path, String body) {
        return send("PUT", path, body);
    }

    static JsonNode post(String path, String body) {
        return send("POST", path, body);
    }

    /** Any status, as JSON. */
    static JsonNode send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(TestServers.elasticsearchUrl() + path))
                .header("Content-Type", path.contains("_bulk") ? "application/x-ndjson" : "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All documents of an index, at most 10,000. */
    static List<JsonNode> all(String index) {
        post("/" + index + "/_refresh", "");
        List<JsonNode> hits = new ArrayList<>();
        post("/" + index + "/_search", "{\"size\":10000,\"seq_no_primary_term\":true,\"query\":{\"match_all\":{}}}")
                .path("hits")
                .path("hits")
                .forEach(hits::add);
        return hits;
    }

    /** Documents of the control index of one kind. */
    static List<JsonNode> control(String kind) {
        return all("tree-rename-control").stream()
                .map(hit -> hit.path("_source"))
                .filter(source -> source.path("kind").asText().equals(kind))
                .toList();
    }

    static Optional<JsonNode> entry(String requestId) {
        JsonNode found = post("/tree-rename-control/_mget", "{\"ids\":[\"rename:" + requestId + "\"]}");
        JsonNode document = found.path("docs").path(0);
        return document.path("found").asBoolean() ? Optional.of(document.path("_source")) : Optional.empty();
    }
}
