package org.treerename.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds the values that Elasticsearch indexes for a keyword field: a string, or each string of an array. */
final class IndexedField {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private IndexedField() {}

    static List<String> values(RawJson document, String field) {
        try {
            List<String> values = new ArrayList<>();
            take(MAPPER.readTree(document.bytes()), field, values);
            return values;
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + document, e);
        }
    }

    private static void take(JsonNode object, String field, List<String> values) {
        JsonNode node = object.path(field);
        if (node.isTextual()) {
            values.add(node.textValue());
        }
        node.elements().forEachRemaining(element -> values.add(element.asText()));
        object.properties().forEach(inner -> {
            if (field.startsWith(inner.getKey() + ".")) {
                take(inner.getValue(), field.substring(inner.getKey().length() + 1), values);
            }
        });
    }
}
