package org.treerename.rename;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a keyword field of the outermost object indexes: a string, or each string of an array. */
final class IndexedField {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private IndexedField() {}

    static List<String> values(RawJson document, String field) {
        try {
            JsonNode node = MAPPER.readTree(document.bytes()).path(field);
            List<String> values = new ArrayList<>();
            if (node.isTextual()) {
                values.add(node.textValue());
            }
            node.elements().forEachRemaining(element -> values.add(element.asText()));
            return values;
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + document, e);
        }
    }
}
