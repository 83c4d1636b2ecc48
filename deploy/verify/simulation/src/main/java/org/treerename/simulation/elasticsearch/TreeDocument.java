package org.treerename.simulation.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.tree.RawJson;

/**
 * A document of a tree, and the values of its keyword fields. A string is one value. An array gives one value for each
 * of its strings.
 */
public final class TreeDocument {

    private static final JsonFactory JSON = new JsonFactory();

    private final RawJson source;
    private final @Nullable String routing;
    private final Map<String, List<String>> values;

    public TreeDocument(RawJson source, @Nullable String routing) {
        this.source = source;
        this.routing = routing;
        this.values = values(source);
    }

    public RawJson source() {
        return source;
    }

    @Nullable
    String routing() {
        return routing;
    }

    List<String> values(String field) {
        return values.getOrDefault(field, List.of());
    }

    /** Returns the text of a top-level field; null if the field does not contain one string, repeated or not. */
    public @Nullable String text(String field) {
        List<String> found = values(field);
        return !found.isEmpty() && Collections.frequency(found, found.getFirst()) == found.size()
                ? found.getFirst()
                : null;
    }

    /** Returns the path in the path fields of this document; empty if the fields contain no path. */
    Optional<String> path(Namespace namespace) {
        return namespace.pathOf(field -> Optional.ofNullable(text(field)));
    }

    /** Returns the paths by which a search finds the document. */
    List<String> paths(Namespace namespace) {
        return namespace.fields().pathFields().size() == 1
                ? values(namespace.pathField())
                : path(namespace).stream().toList();
    }

    private static Map<String, List<String>> values(RawJson source) {
        Map<String, List<String>> values = new HashMap<>();
        try (JsonParser parser = JSON.createParser(source.bytes())) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                switch (parser.nextToken()) {
                    case VALUE_STRING -> values.put(field, List.of(parser.getText()));
                    case START_ARRAY -> values.put(field, array(parser));
                    default -> parser.skipChildren();
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("expected JSON, found " + source, e);
        }
        return values;
    }

    private static List<String> array(JsonParser parser) throws IOException {
        List<String> found = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                found.add(parser.getText());
            }
            parser.skipChildren();
        }
        return found;
    }
}
