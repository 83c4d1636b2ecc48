package org.treerename.benchmark;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * Converts the answer to a search into a bulk request that changes the path of every found document. The conversion is
 * fast, because it copies the bytes between the path fields unchanged.
 */
final class Splice {

    private final byte[] page;
    private final UnaryOperator<String> newPath;
    private final ByteArrayOutputStream lines;
    private int documents;
    private String lastSort = "";

    private Splice(byte[] page, UnaryOperator<String> newPath) {
        this.page = page;
        this.newPath = newPath;
        this.lines = new ByteArrayOutputStream(page.length);
    }

    /**
     * Converts the answer to one search.
     *
     * @param newPath converts an old path to a new path
     */
    static Splice of(byte[] page, UnaryOperator<String> newPath) throws IOException {
        Splice splice = new Splice(page, newPath);
        try (JsonParser parser = Es.JSON.getFactory().createParser(page)) {
            parser.nextToken();
            splice.find(parser, "hits");
            splice.find(parser, "hits");
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                splice.hit(parser);
            }
        }
        return splice;
    }

    /** Advances the parser from the beginning of an object to the value of a field. */
    private void find(JsonParser parser, String field) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals(field);
            parser.nextToken();
            if (found) {
                return;
            }
            parser.skipChildren();
        }
        throw new IllegalStateException("expected the field " + field + " in the answer to a search, found none");
    }

    private void hit(JsonParser parser) throws IOException {
        String id = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "_id" -> id = parser.getText();
                case "_source" -> {
                    write("{\"index\":{\"_id\":\"" + id + "\"}}\n");
                    source(parser);
                    write("\n");
                    documents++;
                }
                case "sort" -> {
                    int begin = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    lastSort = new String(page, begin, end(parser) - begin, StandardCharsets.UTF_8);
                }
                default -> parser.skipChildren();
            }
        }
    }

    private void source(JsonParser parser) throws IOException {
        int copied = begin(parser);
        String path = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "path", "parent", "name" -> {
                    int begin = begin(parser);
                    String value = parser.getText();
                    lines.write(page, copied, begin - copied);
                    path = field.equals("path") ? newPath.apply(value) : path;
                    write("\"" + part(path, field) + "\"");
                    copied = end(parser);
                }
                default -> parser.skipChildren();
            }
        }
        lines.write(page, copied, end(parser) - copied);
    }

    /**
     * Returns the value of {@code path}, {@code parent} or {@code name} for a document with this path. In the documents
     * of the benchmarks, the field {@code path} comes before {@code parent} and {@code name}. So the new path is known
     * before the values of these two fields are calculated.
     */
    private static String part(String path, String field) {
        int end = path.lastIndexOf('/');
        return switch (field) {
            case "parent" -> path.substring(0, end);
            case "name" -> path.substring(end + 1);
            default -> path;
        };
    }

    private static int begin(JsonParser parser) {
        return (int) parser.currentTokenLocation().getByteOffset();
    }

    private static int end(JsonParser parser) {
        return (int) parser.currentLocation().getByteOffset();
    }

    private void write(String text) {
        lines.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    int documents() {
        return documents;
    }

    /** Returns the body of the bulk request. */
    byte[] lines() {
        return lines.toByteArray();
    }

    /**
     * Returns the sort values of the last document as JSON. The search for the next page continues after these values.
     */
    String lastSort() {
        return lastSort;
    }
}
