package org.treerename.endtoend;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** Creates requests as JSON, each with a random request id. */
final class Requests {

    private Requests() {}

    static ObjectNode rename(String namespace, String source, String destination) {
        return Es.JSON
                .createObjectNode()
                .put("request_id", UUID.randomUUID().toString())
                .put("namespace", namespace)
                .put("source", source)
                .put("destination", destination);
    }

    static String id(ObjectNode request) {
        return request.path("request_id").asText();
    }
}
