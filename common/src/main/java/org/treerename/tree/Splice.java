package org.treerename.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.treerename.namespace.FieldValue;

/**
 * Replaces the values of some fields of one document, and copies all other bytes. A line break becomes a space. One
 * thread uses each instance, for one document.
 */
public final class Splice {

    private final byte[] from;
    private final ByteArrayOutputStream to;
    private final String required;
    private final Map<String, FieldValue> values;

    /** The old texts of the fields that were found. A field may occur several times, but only with the same text. */
    private final Map<String, String> found = new HashMap<>();

    /** Whether each field can occur in one place only, so that reading may stop when all fields are found. */
    private final boolean oncePerField;

    private int copied;
    private boolean isWrong;

    public Splice(RawJson document, String required, Map<String, FieldValue> values) {
        this.from = document.bytes();
        this.to = new ByteArrayOutputStream(from.length + 256);
        this.required = required;
        this.values = values;
        this.oncePerField = values.entrySet().stream()
                .noneMatch(e -> e.getKey().contains(".") || e.getValue() instanceof FieldValue.Followed);
    }

    /**
     * Returns the changed document; empty if the required field does not exist, or if a field has a value of the wrong
     * type.
     */
    public Optional<RawJson> made() {
        try (JsonParser parser = PathFields.JSON.createParser(from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            object(parser, "");
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a JSON object: " + e.getMessage(), e);
        }
        if (isWrong || !found.containsKey(required)) {
            return Optional.empty();
        }
        copyOnOneLine(from.length);
        return Optional.of(new RawJson(to.toByteArray()));
    }

    private boolean isDone() {
        return isWrong || (oncePerField && found.size() == values.size());
    }

    /** The parser goes from the beginning of the object to its end, unless reading stops early. */
    private void object(JsonParser parser, String above) throws IOException {
        while (!isDone() && parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = above + parser.currentName();
            FieldValue value = values.get(name);
            parser.nextToken();
            if (value instanceof FieldValue.Followed followed) {
                follow(parser, followed);
            } else if (value != null) {
                replace(parser, name, value, false);
            } else {
                inside(parser, name);
            }
        }
    }

    private void inside(JsonParser parser, String name) throws IOException {
        boolean mayContainField = parser.currentToken().isStructStart()
                && values.keySet().stream().anyMatch(field -> field.startsWith(name + "."));
        if (!mayContainField) {
            parser.skipChildren();
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            object(parser, name + ".");
        } else {
            while (!isDone() && parser.nextToken() != JsonToken.END_ARRAY) {
                inside(parser, name);
            }
        }
    }

    /** An array stays an array, and a null in an array stays null. */
    private void replace(JsonParser parser, String name, FieldValue value, boolean inArray) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_ARRAY && !(value instanceof FieldValue.Texts)) {
            while (!isWrong && parser.nextToken() != JsonToken.END_ARRAY) {
                replace(parser, name, value, true);
            }
        } else if (token == JsonToken.VALUE_NULL) {
            if (!inArray && !name.equals(required)) {
                put(parser, value);
            }
        } else {
            String old = token.isScalarValue() ? parser.getText() : "";
            String before = found.putIfAbsent(name, old);
            isWrong |= !mayBe(value, token) || (before != null && !before.equals(old));
            if (!isWrong) {
                put(parser, value);
            }
        }
    }

    private static boolean mayBe(FieldValue value, JsonToken token) {
        return switch (value) {
            case FieldValue.Text text -> token.isScalarValue();
            case FieldValue.Whole number -> token == JsonToken.VALUE_NUMBER_INT;
            case FieldValue.Texts texts -> token == JsonToken.VALUE_STRING || token == JsonToken.START_ARRAY;
            case FieldValue.Followed followed -> true;
        };
    }

    private void put(JsonParser parser, FieldValue value) throws IOException {
        int begin = (int) parser.currentTokenLocation().getByteOffset();
        parser.finishToken();
        parser.skipChildren();
        copyOnOneLine(begin);
        switch (value) {
            case FieldValue.Text text -> write(text.text());
            case FieldValue.Whole number ->
                to.writeBytes(String.valueOf(number.number()).getBytes(StandardCharsets.US_ASCII));
            case FieldValue.Texts texts -> {
                to.write('[');
                for (int i = 0; i < texts.texts().size(); i++) {
                    if (i > 0) {
                        to.write(',');
                    }
                    write(texts.texts().get(i));
                }
                to.write(']');
            }
            case FieldValue.Followed followed ->
                throw new IllegalStateException(
                        "expected the new text of a field, found a reference field or a prefixed field");
        }
        copied = (int) parser.currentLocation().getByteOffset();
    }

    /** A string whose text does not change keeps its bytes. */
    private void follow(JsonParser parser, FieldValue.Followed followed) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_STRING -> {
                String text = parser.getText();
                String next = followed.newText().apply(text);
                if (!next.equals(text)) {
                    put(parser, new FieldValue.Text(next));
                }
            }
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    follow(parser, followed);
                }
            }
            default -> parser.skipChildren();
        }
    }

    private void write(String text) {
        to.write('"');
        to.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(text));
        to.write('"');
    }

    /** In JSON, a line break occurs only between tokens, because a line break inside a string is escaped. */
    private void copyOnOneLine(int end) {
        int start = copied;
        for (int i = copied; i < end; i++) {
            if (from[i] == '\n' || from[i] == '\r') {
                to.write(from, start, i - start);
                to.write(' ');
                start = i + 1;
            }
        }
        to.write(from, start, end - start);
    }
}
