package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A complete HTTP response.
 *
 * @param headers the headers in addition to those of every response
 */
record Answer(int status, String type, String body, Map<String, String> headers) {

    static final int OK = 200;
    static final int ACCEPTED = 202;
    static final String JSON = "application/json";
    static final String PROBLEM = "application/problem+json";

    Answer {
        headers = Map.copyOf(headers);
    }

    static Answer json(int status, JsonNode body) {
        return new Answer(status, JSON, Json.write(body), Map.of());
    }

    Answer with(String name, String value) {
        return new Answer(status, type, body, Map.of(name, value));
    }

    static Answer problem(Problem problem, String detail, @Nullable String field, Map<String, String> headers) {
        ObjectNode json = Json.object()
                .put("type", problem.type())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", detail);
        if (field != null) {
            json.put("field", field);
        }
        return new Answer(problem.status(), PROBLEM, Json.write(json), headers);
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
