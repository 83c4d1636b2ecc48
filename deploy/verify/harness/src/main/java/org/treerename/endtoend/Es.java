package org.treerename.endtoend;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Optional;

/** Static methods that call {@link Elasticsearch#SHARED}. */
final class Es {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final ObjectMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Es() {}

    /** Returns a JSON value as ASCII text. Escape sequences represent all other characters, even a lone surrogate. */
    static String ascii(JsonNode json) {
        try {
            return ASCII.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode get(String path) {
        return Elasticsearch.SHARED.get(path);
    }

    static JsonNode put(String path, String body) {
        return Elasticsearch.SHARED.put(path, body);
    }

    static JsonNode post(String path, String body) {
        return Elasticsearch.SHARED.post(path, body);
    }

    /** Sends a request. Returns the response as JSON, even if the status is an error. */
    static JsonNode send(String method, String path, String body) {
        return Elasticsearch.SHARED.send(method, path, body);
    }

    /** Returns all documents of an index. */
    static List<JsonNode> all(String index) {
        return Elasticsearch.SHARED.all(index);
    }

    /** Returns the documents of one kind in the control index. */
    static List<JsonNode> control(String kind) {
        return Elasticsearch.SHARED.control(kind);
    }

    static Optional<JsonNode> entry(String requestId) {
        return Elasticsearch.SHARED.entry(requestId);
    }
}
