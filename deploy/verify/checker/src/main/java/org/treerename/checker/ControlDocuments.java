package org.treerename.checker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads all documents of one kind from the control index, as JSON. The field {@code kind} contains the kind. */
final class ControlDocuments {

    private ControlDocuments() {}

    static List<JsonNode> ofKind(ElasticsearchHttp http, String kind) {
        ObjectNode query = ElasticsearchHttp.MAPPER.createObjectNode();
        query.putObject("term").put("kind", kind);
        return SearchPages.<JsonNode>read(
                        http, http.installation().controlIndex(), query, source -> source.readValueAsTree())
                .stream()
                .map(SearchPages.Hit::source)
                .toList();
    }

    static @Nullable Instant instant(JsonNode node) {
        return node.isTextual() ? Instant.parse(node.textValue()) : null;
    }
}
