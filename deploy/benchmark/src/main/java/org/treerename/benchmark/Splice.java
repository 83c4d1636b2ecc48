package org.treerename.benchmark;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * The answer to a search made into a bulk that rewrites every document's path, without building the documents: what lies
 * between the path fields is copied as it came.
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
     * Makes it.
     *
     * @param newPath of an old one
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

    /** Goes on to the value of a field of the object that it stands at the beginning of. */
    private void find(JsonParser parser, String field) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals(field);
            parser.nextToken();
            if (found) {
                return;
            }
            parser.skipChildren();
        }
        throw new IllegalStateException("expected " + field + " in the answer to a search");
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

    /** The path stands before the others in every document of ours. */
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

    /** The body of the bulk. */
    byte[] lines() {
        return lines.toByteArray();
    }

    /** Of the last document, as JSON. */
    String lastSort() {
        return lastSort;
    }
}
