package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A field in the mapping of an index. The field may be inside objects, or its name may contain dots.
 *
 * @param keys the names under which the mapping contains the field, from the outermost object to the field
 * @param mapping the mapping of the field
 */
record MappedField(List<String> keys, JsonNode mapping) {

    MappedField {
        keys = List.copyOf(keys);
    }

    /**
     * Finds a field. Returns empty for a sub-field, and for a field inside a nested or disabled object.
     *
     * @param mappings the mapping of the index
     */
    static Optional<MappedField> find(JsonNode mappings, String field) {
        return find(mappings, field, List.of());
    }

    private static Optional<MappedField> find(JsonNode object, String field, List<String> above) {
        if (isClosed(object)) {
            return Optional.empty();
        }
        JsonNode properties = object.path("properties");
        if (properties.has(field)) {
            return Optional.of(new MappedField(with(above, field), properties.path(field)));
        }
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            if (field.startsWith(property.getKey() + ".")) {
                Optional<MappedField> inside = find(
                        property.getValue(),
                        field.substring(property.getKey().length() + 1),
                        with(above, property.getKey()));
                if (inside.isPresent()) {
                    return inside;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the field that contains this sub-field; empty if the name is not the name of a sub-field. */
    static Optional<String> ofSubField(JsonNode mappings, String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0
                ? Optional.empty()
                : Optional.of(name.substring(0, dot))
                        .filter(field -> find(mappings, field)
                                .filter(found -> found.mapping().path("fields").has(name.substring(dot + 1)))
                                .isPresent());
    }

    /**
     * Returns the keys under which a field can be added to a mapping. Returns empty if the field cannot be added,
     * because an object around the field is mapped as a field, is nested, or is disabled.
     */
    static Optional<List<String>> keysOfNew(JsonNode mappings, String field) {
        return keysOfNew(mappings, field, List.of());
    }

    private static Optional<List<String>> keysOfNew(JsonNode object, String field, List<String> above) {
        boolean isObject = object.path("type").asText("object").equals("object");
        if (isClosed(object) || !isObject) {
            return Optional.empty();
        }
        if (!object.path("subobjects").asBoolean(true)) {
            return Optional.of(with(above, field));
        }
        int dot = field.indexOf('.');
        if (dot < 0) {
            return Optional.of(with(above, field));
        }
        String first = field.substring(0, dot);
        return keysOfNew(object.path("properties").path(first), field.substring(dot + 1), with(above, first));
    }

    /** Searches do not find the fields of a nested or disabled object. */
    private static boolean isClosed(JsonNode object) {
        return object.path("type").asText("").equals("nested")
                || !object.path("enabled").asBoolean(true);
    }

    private static List<String> with(List<String> above, String key) {
        List<String> keys = new ArrayList<>(above);
        keys.add(key);
        return keys;
    }

    /** Returns the body of a request that sets the mapping of the field with these keys. */
    static ObjectNode update(List<String> keys, JsonNode mapping) {
        ObjectNode body = Json.object();
        ObjectNode object = body;
        for (String key : keys.subList(0, keys.size() - 1)) {
            object = object.putObject("properties").putObject(key);
        }
        object.putObject("properties").set(keys.getLast(), mapping);
        return body;
    }
}
