package org.treerename.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A complete HTTP response.
 *
 * @param headers the headers of this response only; the server adds its own headers to every response
 */
public record Answer(int status, String type, String body, Map<String, String> headers) {

    public static final int OK = 200;
    public static final int ACCEPTED = 202;
    public static final int NOT_MODIFIED = 304;
    public static final int REDIRECT = 308;
    public static final int BAD = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int NO_METHOD = 405;
    public static final int TOO_LARGE = 413;
    public static final int WRONG_TYPE = 415;
    public static final int MISDIRECTED = 421;
    public static final int DEFECT = 500;
    public static final int UNAVAILABLE = 503;

    public static final String JSON = "application/json";
    public static final String PROBLEM = "application/problem+json";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            // a path may contain a lone surrogate, which UTF-8 cannot encode
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    public Answer {
        headers = Map.copyOf(headers);
    }

    public static Answer json(int status, JsonNode body) {
        return new Answer(status, JSON, text(body), Map.of());
    }

    /**
     * Returns problem details (RFC 9457) with the type {@code about:blank}. The title must contain no text from the
     * request.
     */
    public static Answer problem(int status, String title) {
        return problem(
                status,
                MAPPER.createObjectNode()
                        .put("type", "about:blank")
                        .put("title", title)
                        .put("status", status),
                Map.of());
    }

    /** Returns problem details (RFC 9457). */
    public static Answer problem(int status, JsonNode details, Map<String, String> headers) {
        return new Answer(status, PROBLEM, text(details), headers);
    }

    /** Returns a copy of this answer. The given header replaces all headers of this answer. */
    public Answer with(String name, String value) {
        return new Answer(status, type, body, Map.of(name, value));
    }

    public byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(JsonNode json) {
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write an answer as JSON", e);
        }
    }
}
