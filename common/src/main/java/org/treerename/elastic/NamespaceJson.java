package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespace.Directories;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.Notation;
import org.treerename.store.RefusedException;
import org.treerename.store.Sha256;

/**
 * Reads and writes the stored form of a namespace's definition. The id of a definition is {@code namespace:}, followed
 * by the name of the namespace. The field {@code form} contains the version of the format. A definition in form 1
 * contains only the fields from {@code index} to {@code directory_value}, without {@code path_keyword}. A missing field
 * has the value that was fixed in form 1. For example, the separator of paths was always a slash.
 *
 * <pre>{@code
 * { "kind": "namespace", "protocol": 1, "namespace": "files", "digest": "<SHA-256 of the definition>",
 *   "definition": { "form": 2, "index": "files", "path_field": "path", "path_keyword": null,
 *     "parent_field": "parent", "name_field": "name",
 *     "directory_field": "type", "directory_value": "directory",
 *     "path_holds": "path", "depth_field": null, "ancestors_field": null, "reference_fields": [], "prefixed_fields": [],
 *     "separator": "/", "leading_separator": true, "quoted_segments": false,
 *     "granularity": "tree", "ordering_depth": 1, "version": "seq_no", "documents_per_second": 0 } }
 * }</pre>
 *
 * If the namespace has a version field, the definition also contains {@code "version_field": "row_version"}.
 */
final class NamespaceJson {

    private static final int FORM = 2;

    private NamespaceJson() {}

    static String id(String name) {
        return "namespace:" + name;
    }

    static JsonNode write(Namespace namespace) {
        ObjectNode definition = definition(namespace);
        ObjectNode json = Json.object()
                .put("kind", "namespace")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("namespace", namespace.name())
                .put("digest", digest(definition));
        json.set("definition", definition);
        return json;
    }

    private static ObjectNode definition(Namespace namespace) {
        Directories directories = namespace.directories();
        Fields fields = namespace.fields();
        Rules rules = namespace.rules();
        ObjectNode definition = Json.object()
                .put("form", FORM)
                .put("index", namespace.index())
                .put("path_field", fields.path())
                .put("path_keyword", fields.keyword())
                .put("parent_field", fields.parent())
                .put("name_field", fields.name())
                .put("directory_field", directories == null ? null : directories.field())
                .put("directory_value", directories == null ? null : directories.value())
                .put("path_holds", fields.holds().stored())
                .put("depth_field", fields.depth())
                .put("ancestors_field", fields.ancestors());
        fields.references().forEach(definition.putArray("reference_fields")::add);
        fields.prefixed().forEach(definition.putArray("prefixed_fields")::add);
        definition
                .put("separator", namespace.notation().separator())
                .put("leading_separator", namespace.notation().leading())
                .put("quoted_segments", namespace.notation().quoted())
                .put("granularity", rules.granularity().stored())
                .put("ordering_depth", rules.orderingDepth())
                .put("version", rules.version().stored())
                .put("documents_per_second", rules.documentsPerSecond());
        return rules.versionField() == null ? definition : definition.put("version_field", rules.versionField());
    }

    /**
     * Decodes a definition.
     *
     * @throws RefusedException if the definition is invalid, or has a later form than this process supports
     */
    static Namespace read(JsonNode json) {
        ControlIndex.refuseLater(json);
        String name = json.required("namespace").asText();
        JsonNode definition = json.required("definition");
        if (definition.path("form").asInt(1) > FORM) {
            throw new RefusedException("the definition of the namespace " + name + " has the format "
                    + definition.path("form") + ", but this process supports only formats up to " + FORM
                    + "; update this program");
        }
        try {
            return new Namespace(
                    name,
                    definition.required("index").asText(),
                    notation(definition),
                    fields(definition),
                    directories(definition),
                    new Rules(
                            Granularity.valueOf(constant(definition, "granularity", "tree")),
                            definition.path("ordering_depth").asInt(Rules.DEFAULT.orderingDepth()),
                            VersionOwner.valueOf(constant(definition, "version", "seq_no")),
                            definition.path("version_field").textValue(),
                            definition.path("documents_per_second").asInt()));
        } catch (IllegalArgumentException e) {
            throw new RefusedException("the definition of the namespace " + name + " is invalid: " + e.getMessage());
        }
    }

    private static Notation notation(JsonNode definition) {
        return new Notation(
                definition.path("separator").asText(Notation.SLASHES.separator()),
                definition.path("leading_separator").asBoolean(true),
                definition.path("quoted_segments").asBoolean());
    }

    private static Fields fields(JsonNode definition) {
        return new Fields(
                definition.required("path_field").asText(),
                definition.path("path_keyword").textValue(),
                Fields.Holds.valueOf(constant(definition, "path_holds", "path")),
                definition.path("parent_field").textValue(),
                definition.path("name_field").textValue(),
                definition.path("depth_field").textValue(),
                definition.path("ancestors_field").textValue(),
                Json.texts(definition.path("reference_fields")),
                Json.texts(definition.path("prefixed_fields")));
    }

    private static @Nullable Directories directories(JsonNode definition) {
        String field = definition.path("directory_field").textValue();
        return field == null
                ? null
                : new Directories(field, definition.required("directory_value").asText());
    }

    private static String constant(JsonNode definition, String field, String otherwise) {
        return definition.path(field).asText(otherwise).toUpperCase(Locale.ROOT);
    }

    private static String digest(JsonNode definition) {
        return Sha256.hex(definition.toString().getBytes(StandardCharsets.UTF_8));
    }
}
