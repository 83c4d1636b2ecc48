package org.treerename.janitor.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The HTTP response to one request.
 *
 * @param headers the headers in addition to those of every response
 */
record Answer(int status, String type, String body, Map<String, String> headers) {

    static final int OK = 200;
    static final int REDIRECT = 308;
    static final int NOT_MODIFIED = 304;
    static final int BAD = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int NO_METHOD = 405;
    static final int TOO_LARGE = 413;
    static final int WRONG_TYPE = 415;
    static final int MISDIRECTED = 421;
    static final int DEFECT = 500;
    static final int UNAVAILABLE = 503;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    Answer {
        headers = Map.copyOf(headers);
    }

    static Answer json(JsonNode body) {
        return new Answer(OK, "application/json", text(body), Map.of());
    }

    /** Returns problem details (RFC 9457). The title contains no text of the request. */
    static Answer problem(int status, String title) {
        return new Answer(
                status,
                "application/problem+json",
                text(MAPPER.createObjectNode()
                        .put("type", "about:blank")
                        .put("title", title)
                        .put("status", status)),
                Map.of());
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    Answer with(String name, String value) {
        return new Answer(status, type, body, Map.of(name, value));
    }

    private static String text(JsonNode json) {
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write an answer as JSON", e);
        }
    }
}
