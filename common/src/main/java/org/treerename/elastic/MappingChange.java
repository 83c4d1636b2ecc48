package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.PathMapping.Change;
import org.treerename.elastic.PathMapping.Step;

/**
 * Decides how the mapping of one concrete index must change, so that searches find documents by a path field. The
 * decision depends only on the mapping and the settings of the index.
 *
 * @param sub the sub-field that searches use; null if searches use the field itself
 */
record MappingChange(
        String name, JsonNode index, String field, @Nullable String sub) {

    /** The types of fields that contain a text and may have sub-fields. */
    private static final Set<String> TEXTS =
            Set.of("text", "keyword", "wildcard", "match_only_text", "search_as_you_type");

    private String searched() {
        return sub == null ? field : field + "." + sub;
    }

    @Nullable
    Change change() {
        Optional<MappedField> mapped = MappedField.find(index.path("mappings"), field);
        if (sub == null) {
            boolean isRuntime = index.path("mappings").path("runtime").has(field);
            return mapped.isEmpty() || isRuntime ? added(mapped, isRuntime) : ofKeyword(mapped.get());
        }
        String type =
                mapped.map(found -> found.mapping().path("type").asText("")).orElse("");
        return mapped.isPresent() && TEXTS.contains(type) ? ofSubField(mapped.get(), sub) : null;
    }

    private @Nullable Change added(Optional<MappedField> mapped, boolean isRuntime) {
        JsonNode mapping =
                mapped.map(MappedField::mapping).orElseGet(() -> Json.object().put("type", "keyword"));
        Optional<List<String>> keys =
                mapped.map(MappedField::keys).or(() -> MappedField.keysOfNew(index.path("mappings"), field));
        if (keys.isEmpty() || isUnusable(mapping)) {
            return null;
        }
        ObjectNode body = MappedField.update(keys.get(), withLimit(mapping));
        if (isRuntime) {
            body.putObject("runtime").putNull(field);
        }
        return new Change(name, Step.ADD_FIELD, body, PathMapping.notFound(field));
    }

    private @Nullable Change ofKeyword(MappedField mapped) {
        return isUnusable(mapped.mapping())
                ? null
                : isLimited(mapped.mapping())
                        ? new Change(
                                name,
                                Step.RAISE_LIMIT,
                                MappedField.update(mapped.keys(), withLimit(mapped.mapping())),
                                PathMapping.hidden(field, field))
                        : nothing();
    }

    private @Nullable Change ofSubField(MappedField mapped, String sub) {
        JsonNode found = mapped.mapping().path("fields").path(sub);
        if (found.isMissingNode()) {
            JsonNode query = isSearchable(mapped.mapping())
                    ? PathMapping.hidden(field, searched())
                    : PathMapping.notFound(searched());
            ObjectNode added = Json.object().put("type", "keyword");
            return new Change(name, Step.ADD_SUB_FIELD, with(mapped, sub, withLimit(added)), query);
        }
        return isUnusable(found)
                ? null
                : isLimited(found)
                        ? new Change(
                                name,
                                Step.RAISE_LIMIT,
                                with(mapped, sub, withLimit(found)),
                                PathMapping.hidden(field, searched()))
                        : nothing();
    }

    private Change nothing() {
        return new Change(name, Step.NOTHING, Json.object(), PathMapping.hidden(field, searched()));
    }

    /** Repeats the field's parameters: Elasticsearch resets omitted parameters, but keeps omitted sub-fields. */
    private static JsonNode with(MappedField mapped, String sub, JsonNode mapping) {
        ObjectNode whole = mapped.mapping().deepCopy();
        whole.putObject("fields").set(sub, mapping);
        return MappedField.update(mapped.keys(), whole);
    }

    private static ObjectNode withLimit(JsonNode keyword) {
        return ((ObjectNode) keyword.deepCopy()).put("ignore_above", PathMapping.LONGEST);
    }

    private static boolean isUnusable(JsonNode keyword) {
        return !keyword.path("type").asText("").equals("keyword")
                || !keyword.path("index").asBoolean(true)
                || !keyword.path("doc_values").asBoolean(true)
                || keyword.has("normalizer");
    }

    /** Returns whether an {@code exists} query for a field finds the documents with this field. */
    private static boolean isSearchable(JsonNode mapping) {
        boolean hasDocValues = mapping.path("type").asText("").equals("keyword")
                && mapping.path("doc_values").asBoolean(true);
        return mapping.path("index").asBoolean(true) || hasDocValues;
    }

    private boolean isLimited(JsonNode keyword) {
        return PathMapping.ignoreAbove(index, keyword) < PathMapping.LONGEST;
    }
}
