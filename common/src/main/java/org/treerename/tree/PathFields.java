package org.treerename.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.treerename.namespace.FieldValue;
import org.treerename.namespace.Namespace;

/**
 * Replaces the values of a document's path fields, and copies all other bytes, except that a line break becomes a
 * space. {@link Splice} copies and replaces the bytes. For example, numbers keep their digits, strings keep their
 * escapes, and objects keep the order of their fields. A path field that the document does not have is not added.
 *
 * <p>The name {@code a.b} means both the field {@code b} of the object {@code a}, and the field {@code a.b} of the
 * outermost object.
 */
public final class PathFields {

    public static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .build();

    private PathFields() {}

    /**
     * Returns the document of a move, with new values in the path fields of the document. Otherwise the method works
     * like {@link #rewritten(RawJson, String, Map)}.
     *
     * @return the new document. Also empty if one of the fields that contain the path does not exist as one string
     */
    public static Optional<RawJson> moved(Namespace namespace, TreeStore.Move move) {
        RawJson source = move.document().source();
        boolean hasPath = namespace.fields().pathFields().size() == 1
                || path(namespace, source).isPresent();
        return hasPath
                ? new Splice(
                                source,
                                namespace.pathField(),
                                namespace.pathFields(move.to(), move.document().path(), move.follow()))
                        .made()
                : Optional.empty();
    }

    /**
     * Returns the document with new texts in some fields, on one line. A line break between two tokens becomes a space,
     * because a bulk request cannot contain a line break.
     *
     * @param required the field that must exist, as one string
     * @param texts the new texts by field name; a null value in the document is replaced as well
     * @return empty if the required field does not exist, or if one of the fields has a value other than one string
     */
    public static Optional<RawJson> rewritten(RawJson document, String required, Map<String, String> texts) {
        Map<String, FieldValue> values = new HashMap<>();
        texts.forEach((field, text) -> values.put(field, new FieldValue.Text(text)));
        return new Splice(document, required, values).made();
    }

    /**
     * Returns the path of the document, even if the text is not a valid path; empty if the document has no path.
     */
    public static Optional<String> path(Namespace namespace, RawJson document) {
        return namespace.pathOf(field -> text(document, field));
    }

    /** Returns the value of a field; empty if the field does not exist as one string. */
    public static Optional<String> text(RawJson document, String field) {
        return value(document, field, JsonToken.VALUE_STRING);
    }

    /** Returns the value of a field; empty if the field does not exist as one integer of 64 bits. */
    public static Optional<Long> whole(RawJson document, String field) {
        return value(document, field, JsonToken.VALUE_NUMBER_INT)
                .map(BigInteger::new)
                .filter(number -> number.bitLength() < Long.SIZE)
                .map(BigInteger::longValue);
    }

    private static Optional<String> value(RawJson document, String field, JsonToken kind) {
        try (JsonParser parser = JSON.createParser(document.bytes())) {
            return parser.nextToken() == JsonToken.START_OBJECT ? value(parser, field, kind) : Optional.empty();
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a JSON object: " + e.getMessage(), e);
        }
    }

    private static Optional<String> value(JsonParser parser, String field, JsonToken kind) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == kind && name.equals(field)) {
                return Optional.of(parser.getText());
            }
            if (token == JsonToken.START_OBJECT && field.startsWith(name + ".")) {
                Optional<String> inside = value(parser, field.substring(name.length() + 1), kind);
                if (inside.isPresent()) {
                    return inside;
                }
            } else {
                parser.skipChildren();
            }
        }
        return Optional.empty();
    }
}
