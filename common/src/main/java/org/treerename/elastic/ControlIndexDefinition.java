package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The shards and the mapping that the control index must have. The index of a later version may have more fields: the
 * programs of this version do not search in them.
 */
final class ControlIndexDefinition {

    private static final String RESOURCE = "control-index.json";

    private ControlIndexDefinition() {}

    /** Returns the body of the request that creates the index. */
    static JsonNode body() {
        return Json.resource(RESOURCE);
    }

    /**
     * Returns the first difference between an index and the definition, as a text; empty if there is no difference.
     *
     * @param found the description of the index that Elasticsearch returned
     */
    static Optional<String> difference(JsonNode found) {
        JsonNode expected = body();
        String shards =
                found.path("settings").path("index").path("number_of_shards").asText();
        String expectedShards =
                expected.path("settings").path("index.number_of_shards").asText();
        if (!shards.equals(expectedShards)) {
            return Optional.of("shards: expected " + expectedShards + ", found " + shards);
        }
        JsonNode mappings = found.path("mappings");
        String dynamic = expected.path("mappings").path("dynamic").asText();
        if (!mappings.path("dynamic").asText().equals(dynamic)) {
            return Optional.of("dynamic mapping: expected " + dynamic + ", found "
                    + mappings.path("dynamic").asText("true"));
        }
        return expected.path("mappings").path("properties").properties().stream()
                .filter(field -> !isMappedAs(
                        field.getValue(), mappings.path("properties").path(field.getKey())))
                .findFirst()
                .map(field -> "the field " + field.getKey() + ": expected " + field.getValue() + ", found "
                        + mappings.path("properties").path(field.getKey()));
    }

    /** Treats a missing value as the default, because Elasticsearch omits each parameter with its default value. */
    private static boolean isMappedAs(JsonNode expected, JsonNode found) {
        return expected.path("type").asText().equals(found.path("type").asText())
                && expected.path("index").asBoolean(true) == found.path("index").asBoolean(true)
                && expected.path("doc_values").asBoolean(true)
                        == found.path("doc_values").asBoolean(true);
    }
}
