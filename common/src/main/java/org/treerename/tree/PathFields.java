package org.treerename.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.treerename.namespace.FieldValue;
import org.treerename.namespace.Fields;
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

    /** The reason why a document cannot be moved if {@link #moved} returns no document. */
    public static final String NOT_ONE_PATH =
            "expected one text in each path field, and a name without a separator; found none, several texts, another"
                    + " type or a separator";

    private PathFields() {}

    /**
     * Returns the document of a move, with new values in the path fields of the document. Otherwise the method works
     * like {@link #rewritten(RawJson, String, Map)}.
     *
     * @return the new document. Also empty if one of the fields that contain the path does not exist as one text
     */
    public static Optional<RawJson> moved(Namespace namespace, TreeStore.Move move) {
        RawJson source = move.document().source();
        boolean hasPath = namespace.fields().holds() == Fields.Holds.PATH || hasWholeName(namespace, source);
        return hasPath
                ? new Splice(
                                source,
                                namespace.pathField(),
                                namespace.pathFields(move.to(), move.document().path(), move.follow()))
                        .made()
                : Optional.empty();
    }

    /** A name with a separator would lose its first part in a move. */
    private static boolean hasWholeName(Namespace namespace, RawJson source) {
        Optional<String> name = text(source, String.valueOf(namespace.fields().name()));
        return path(namespace, source).map(namespace.notation()::nameOf).equals(name) && name.isPresent();
    }

    /**
     * Returns the document with new texts in some fields, on one line. A line break between two tokens becomes a space,
     * because a bulk request cannot contain a line break.
     *
     * @param required the field that must exist, as one text
     * @param texts the new texts by field name; a null value in the document is replaced as well
     * @return empty if the required field does not exist, or if one of the fields has a value other than one text
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

    /**
     * Returns the text of a field. A number or a boolean is a text as well, because Elasticsearch indexes its text. An
     * array with one text, repeated or not, is this text. Empty if the field has no text, or several different texts.
     */
    public static Optional<String> text(RawJson document, String field) {
        return value(document, field, token -> token.isScalarValue() && token != JsonToken.VALUE_NULL);
    }

    /** Returns the value of a field; empty if the field does not exist as one integer of 64 bits. */
    public static Optional<Long> whole(RawJson document, String field) {
        return value(document, field, token -> token == JsonToken.VALUE_NUMBER_INT)
                .map(BigInteger::new)
                .filter(number -> number.bitLength() < Long.SIZE)
                .map(BigInteger::longValue);
    }

    private static Optional<String> value(RawJson document, String field, Predicate<JsonToken> kind) {
        Set<String> values = new HashSet<>();
        try (JsonParser parser = JSON.createParser(document.bytes())) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                object(parser, field, !field.contains("."), kind, values);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a JSON object: " + e.getMessage(), e);
        }
        return values.size() == 1 ? Optional.of(values.iterator().next()) : Optional.empty();
    }

    /** @param isOnce whether the field can occur in this object only once, so that reading may stop after it */
    private static void object(
            JsonParser parser, String field, boolean isOnce, Predicate<JsonToken> kind, Set<String> values)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (name.equals(field)) {
                add(parser, kind, values);
                if (isOnce) {
                    return;
                }
            } else if (field.startsWith(name + ".")) {
                inside(parser, field.substring(name.length() + 1), kind, values);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void add(JsonParser parser, Predicate<JsonToken> kind, Set<String> values) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                add(parser, kind, values);
            }
        } else if (kind.test(parser.currentToken())) {
            values.add(parser.getText());
        } else {
            parser.skipChildren();
        }
    }

    private static void inside(JsonParser parser, String field, Predicate<JsonToken> kind, Set<String> values)
            throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                inside(parser, field, kind, values);
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser, field, false, kind, values);
        }
    }
}
