package org.treerename.janitor.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.treerename.namespace.FieldValue;
import org.treerename.namespace.Namespace;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.Splice;
import org.treerename.tree.TreeStore;

/**
 * Compares the path fields of a document with its path. The comparison is a pure function. It calls the same code as a
 * move. The fields agree if a move to the document's present path would change no field. So a field whose new value
 * depends on its old value always agrees. A field that the document lacks agrees as well, because a move does not add
 * it. A field that is null does not agree, because a move fills it.
 */
final class FieldCheck {

    /** The result of a comparison of a document's path fields with its path. */
    sealed interface Agreement {}

    /**
     * The result if the fields agree or the check does not apply. The check does not apply to a path that is invalid in
     * the notation of the namespace. It does not apply to the root either, because no rename moves the root.
     */
    record Agrees() implements Agreement {}

    /**
     * The result if some fields have other values than a move would write.
     *
     * @param fields the names of these fields
     */
    record Differs(String path, List<String> fields) implements Agreement {
        Differs {
            fields = List.copyOf(fields);
        }
    }

    /**
     * The result if no move can write the document. Some path fields of this document have several texts, or do not have
     * the JSON type that the namespace defines. Or the name contains a separator.
     *
     * @param path the path of the document; empty if the path cannot be read
     * @param fields the names of these fields
     */
    record Unwritable(String path, List<String> fields) implements Agreement {
        Unwritable {
            fields = List.copyOf(fields);
        }
    }

    private static final ObjectMapper MAPPER = new ObjectMapper(PathFields.JSON);

    private FieldCheck() {}

    /**
     * Compares the path fields of one document with its path.
     *
     * @param document the document; its source must contain all {@link Namespace#computedFields} that the document has
     *     in the tree
     */
    static Agreement of(Namespace namespace, Document document) {
        Optional<String> found = PathFields.path(namespace, document.source());
        if (found.isEmpty()) {
            return new Unwritable("", namespace.fields().pathFields());
        }
        String path = found.get();
        boolean isRoot = path.equals(namespace.notation().root().text());
        if (isRoot || namespace.notation().problem(path).isPresent()) {
            return new Agrees();
        }
        Document read = new Document(document.ref(), path, document.source());
        Optional<RawJson> moved = PathFields.moved(namespace, new TreeStore.Move(read, path));
        if (moved.isEmpty()) {
            List<String> fields = unwritable(namespace, read);
            return new Unwritable(path, fields.isEmpty() ? namespace.fields().pathFields() : fields);
        }
        List<String> fields = new ArrayList<>();
        addChanged("", tree(read.source()), tree(moved.get()), fields);
        return fields.isEmpty() ? new Agrees() : new Differs(path, fields);
    }

    /** Tries each computed field separately, together with the path field. */
    private static List<String> unwritable(Namespace namespace, Document document) {
        Map<String, FieldValue> values =
                namespace.pathFields(document.path(), document.path(), UnaryOperator.identity());
        String required = namespace.pathField();
        return namespace.computedFields().stream()
                .filter(field -> {
                    Map<String, FieldValue> two = new HashMap<>();
                    two.put(required, values.get(required));
                    two.put(field, values.get(field));
                    return new Splice(document.source(), required, two).made().isEmpty();
                })
                .toList();
    }

    /** A move changes only values of fields, so both JSON trees have the same structure. */
    private static void addChanged(String above, JsonNode before, JsonNode after, List<String> fields) {
        before.properties().forEach(property -> {
            String name = above + property.getKey();
            JsonNode old = property.getValue();
            JsonNode next = after.path(property.getKey());
            if (old.isObject() && next.isObject()) {
                addChanged(name + ".", old, next, fields);
            } else if (!old.equals(next)) {
                fields.add(name);
            }
        });
    }

    private static JsonNode tree(RawJson json) {
        try {
            return MAPPER.readTree(json.bytes());
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a JSON object, found " + json, e);
        }
    }
}
