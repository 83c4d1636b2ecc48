package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.treerename.elastic.IndexSurvey;
import org.treerename.elastic.PathMapping;

/**
 * The mappings and settings of the concrete indices behind an index or alias.
 *
 * @param json the answer of Elasticsearch; its keys are the names of the indices
 */
record MappedIndices(JsonNode json) {

    /** The field types that are suitable for paths. */
    private static final Set<String> TEXTS =
            Set.of("text", "keyword", "wildcard", "match_only_text", "search_as_you_type");

    /** Returns the field with this name. For the name of a sub-field, returns the field that contains the sub-field. */
    String wholeField(String field) {
        for (JsonNode one : json) {
            Optional<String> whole = IndexSurvey.ofSubField(one, field);
            if (whole.isPresent()) {
                return whole.get();
            }
        }
        return field;
    }

    /** Returns true if each index either maps the field with a type for texts, or does not map the field. */
    boolean mayBePath(String field) {
        for (JsonNode one : json) {
            if (!IndexSurvey.type(one, field).map(TEXTS::contains).orElse(true)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the types of a field in the indices, as text for a message. */
    String types(String field) {
        List<String> types = new ArrayList<>();
        json.forEach(one -> types.add(IndexSurvey.type(one, field).orElse("not mapped")));
        return String.join(", ", types.stream().distinct().toList());
    }

    /** Returns the changes that the mapping of a path field needs; empty if no change can repair the mapping. */
    Optional<PathMapping> pathMapping(String field) {
        return PathMapping.of(json, field);
    }

    boolean hasDefaultPipeline(String index) {
        JsonNode settings = json.path(index).path("settings").path("index");
        return !settings.path("default_pipeline").asText("_none").equals("_none");
    }
}
