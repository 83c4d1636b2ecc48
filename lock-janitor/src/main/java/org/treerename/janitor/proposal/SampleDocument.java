package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The values of the fields of one document, by the names of the fields. The name of a field inside an object has the
 * form {@code object.field}.
 */
public final class SampleDocument {

    private final Map<String, JsonNode> values = new LinkedHashMap<>();

    private SampleDocument() {}

    /**
     * Reads the fields of a document.
     *
     * @param source the {@code _source} of the document
     */
    public static SampleDocument of(JsonNode source) {
        SampleDocument document = new SampleDocument();
        document.add("", source);
        return document;
    }

    private void add(String above, JsonNode object) {
        object.properties().forEach(property -> {
            if (property.getValue().isObject()) {
                add(above + property.getKey() + ".", property.getValue());
            } else {
                values.put(above + property.getKey(), property.getValue());
            }
        });
    }

    Set<String> fields() {
        return values.keySet();
    }

    /** Returns the value of a field, which may be an array; empty if the document does not have the field. */
    Optional<JsonNode> value(String field) {
        return Optional.ofNullable(values.get(field));
    }

    /** Returns the text of a field; empty if the field does not contain a single text. */
    Optional<String> text(String field) {
        return value(field).filter(JsonNode::isTextual).map(JsonNode::textValue);
    }
}
