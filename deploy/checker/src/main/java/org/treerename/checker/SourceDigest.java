package org.treerename.checker;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.treerename.path.Namespace;

/**
 * What a document's {@code _source} says: its path fields, and a digest of all the rest, token by token, numbers as they
 * are written, fields in their order. White space between tokens does not count.
 */
record SourceDigest(
        @Nullable String path,
        @Nullable String parent,
        @Nullable String name,
        boolean directory,
        String digest) {

    /** Which fields are told apart, by their names with dots. */
    record Fields(
            String path, @Nullable String parent, @Nullable String name, Namespace.@Nullable Directories directories) {

        static Fields of(Namespace namespace) {
            return new Fields(
                    namespace.pathField(), namespace.parentField(), namespace.nameField(), namespace.directories());
        }

        Set<String> pathFields() {
            Set<String> names = new TreeSet<>(Set.of(path));
            if (parent != null) {
                names.add(parent);
            }
            if (name != null) {
                names.add(name);
            }
            return names;
        }
    }

    /** Reads one source; the parser stands at its first token, and is left at its last one. */
    static SourceDigest of(JsonParser parser, Fields fields) throws IOException {
        return new Reading(parser, fields).read();
    }

    /** One reading: where in the source the parser stands, and what it has seen. */
    private static final class Reading {
        private final JsonParser parser;
        private final Fields fields;
        private final Set<String> pathFields;
        private final MessageDigest sha = sha256();
        private final Deque<String> names = new ArrayDeque<>();
        private final Map<String, String> texts = new HashMap<>();

        Reading(JsonParser parser, Fields fields) {
            this.parser = parser;
            this.fields = fields;
            this.pathFields = fields.pathFields();
        }

        SourceDigest read() throws IOException {
            value();
            Namespace.Directories directories = fields.directories();
            boolean directory = directories != null && directories.value().equals(texts.get(directories.field()));
            return new SourceDigest(
                    texts.get(fields.path()),
                    fields.parent() == null ? null : texts.get(fields.parent()),
                    fields.name() == null ? null : texts.get(fields.name()),
                    directory,
                    HexFormat.of().formatHex(sha.digest()));
        }

        private void value() throws IOException {
            String at = String.join(".", names);
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_STRING) {
                texts.put(at, parser.getText());
                if (pathFields.contains(at)) {
                    return;
                }
            }
            take(token);
            if (token == JsonToken.START_OBJECT) {
                object();
            } else if (token == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    value();
                }
                take(JsonToken.END_ARRAY);
            }
        }

        private void object() throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                names.addLast(parser.currentName());
                take(JsonToken.FIELD_NAME);
                parser.nextToken();
                value();
                names.removeLast();
            }
            take(JsonToken.END_OBJECT);
        }

        private void take(JsonToken token) throws IOException {
            byte[] text = parser.getText().getBytes(StandardCharsets.UTF_8);
            sha.update((byte) token.id());
            sha.update((text.length + ":").getBytes(StandardCharsets.UTF_8));
            sha.update(text);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
