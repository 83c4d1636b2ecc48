package org.treerename.rename;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Puts other values into a document's path fields and leaves every other byte as it is: numbers keep their digits,
 * strings their escapes, objects the order of their fields. A path field that the document does not have is not added.
 */
public final class PathFields {

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .build();

    private PathFields() {}

    /**
     * The document with the values put in, on one line: a line break between two tokens, which a bulk request cannot
     * carry, becomes a space.
     *
     * @param required the field that must be there, as one string
     * @param values the new value by name of a field of the outermost object; null there is replaced, too
     * @return empty if the required field is not there, or one of the fields is something else than one string
     */
    public static Optional<RawJson> rewritten(RawJson document, String required, Map<String, String> values) {
        byte[] from = document.bytes();
        ByteArrayOutputStream to = new ByteArrayOutputStream(from.length + 256);
        int copied = 0;
        boolean found = false;
        int left = values.size();
        try (JsonParser parser = JSON.createParser(from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (left > 0 && parser.nextToken() == JsonToken.FIELD_NAME) {
                String value = values.get(parser.currentName());
                JsonToken token = parser.nextToken();
                if (value == null) {
                    parser.skipChildren();
                    continue;
                }
                boolean isRequired = parser.currentName().equals(required);
                found |= isRequired;
                if (token != JsonToken.VALUE_STRING && (isRequired || token != JsonToken.VALUE_NULL)) {
                    return Optional.empty();
                }
                int begin = (int) parser.currentTokenLocation().getByteOffset();
                parser.finishToken();
                copyOnOneLine(from, copied, begin, to);
                to.write('"');
                to.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(value));
                to.write('"');
                copied = (int) parser.currentLocation().getByteOffset();
                left--;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not a JSON object: " + e.getMessage(), e);
        }
        if (!found) {
            return Optional.empty();
        }
        copyOnOneLine(from, copied, from.length, to);
        return Optional.of(new RawJson(to.toByteArray()));
    }

    /** What a field of the outermost object says; empty if it is not one string. */
    public static Optional<String> text(RawJson document, String field) {
        try (JsonParser parser = JSON.createParser(document.bytes())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals(field);
                JsonToken token = parser.nextToken();
                if (found) {
                    return token == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
                }
                parser.skipChildren();
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalArgumentException("not a JSON object: " + e.getMessage(), e);
        }
    }

    /** In JSON a line break stands only between tokens: inside a string it is escaped. */
    private static void copyOnOneLine(byte[] from, int begin, int end, ByteArrayOutputStream to) {
        int start = begin;
        for (int i = begin; i < end; i++) {
            if (from[i] == '\n' || from[i] == '\r') {
                to.write(from, start, i - start);
                to.write(' ');
                start = i + 1;
            }
        }
        to.write(from, start, end - start);
    }
}
