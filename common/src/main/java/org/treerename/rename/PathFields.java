package org.treerename.rename;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.treerename.path.FieldValue;
import org.treerename.path.Namespace;

/**
 * Puts other values into a document's path fields and leaves every other byte as it is: numbers keep their digits,
 * strings their escapes, objects the order of their fields. A path field that the document does not have is not added.
 *
 * <p>The field {@code a.b} is the field {@code b} of the object {@code a}, and {@code a.b} of the outermost object.
 */
public final class PathFields {

    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .build();

    private PathFields() {}

    /**
     * The document of a move as it is to be written; otherwise as in {@link #rewritten(RawJson, String, Map)}.
     *
     * @return empty also if one of the fields by which documents are found is not there as one string
     */
    public static Optional<RawJson> moved(Namespace namespace, TreeStore.Move move) {
        RawJson source = move.document().source();
        boolean isFound = namespace.fields().saying().size() == 1
                || path(namespace, source).isPresent();
        return isFound
                ? new Splice(
                                source,
                                namespace.pathField(),
                                namespace.pathFields(move.to(), move.document().path(), move.follow()))
                        .made()
                : Optional.empty();
    }

    /**
     * The document with the texts put in, on one line: a line break between two tokens, which a bulk request cannot
     * carry, becomes a space.
     *
     * @param required the field that must be there, as one string
     * @param texts the new text by name of a field; null there is replaced, too
     * @return empty if the required field is not there, or one of the fields is something else than one string
     */
    public static Optional<RawJson> rewritten(RawJson document, String required, Map<String, String> texts) {
        Map<String, FieldValue> values = new HashMap<>();
        texts.forEach((field, text) -> values.put(field, new FieldValue.Text(text)));
        return new Splice(document, required, values).made();
    }

    /** Where a document says that it stands, which need not be a path; empty if it does not say. */
    public static Optional<String> path(Namespace namespace, RawJson document) {
        return namespace.pathOf(field -> text(document, field));
    }

    /** What a field says; empty if it is not one string. */
    public static Optional<String> text(RawJson document, String field) {
        return said(document, field, JsonToken.VALUE_STRING);
    }

    /** What a field says; empty if it is not one whole number of 64 bits. */
    public static Optional<Long> whole(RawJson document, String field) {
        return said(document, field, JsonToken.VALUE_NUMBER_INT)
                .map(BigInteger::new)
                .filter(number -> number.bitLength() < Long.SIZE)
                .map(BigInteger::longValue);
    }

    private static Optional<String> said(RawJson document, String field, JsonToken kind) {
        try (JsonParser parser = JSON.createParser(document.bytes())) {
            return parser.nextToken() == JsonToken.START_OBJECT ? said(parser, field, kind) : Optional.empty();
        } catch (IOException e) {
            throw new IllegalArgumentException("not a JSON object: " + e.getMessage(), e);
        }
    }

    private static Optional<String> said(JsonParser parser, String field, JsonToken kind) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == kind && name.equals(field)) {
                return Optional.of(parser.getText());
            }
            if (token == JsonToken.START_OBJECT && field.startsWith(name + ".")) {
                Optional<String> inside = said(parser, field.substring(name.length() + 1), kind);
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
