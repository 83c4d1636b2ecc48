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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;

/**
 * The path fields of a document's {@code _source}, and a digest of all other fields. The digest is calculated from the
 * tokens in their order, with numbers as they are written. White space between tokens does not change the digest.
 */
record SourceDigest(
        @Nullable String path,
        @Nullable String parent,
        @Nullable String name,
        boolean directory,
        String digest) {

    /**
     * Reads one source. The parser is at the first token of the source before the call, and at the last token after the
     * call.
     */
    static SourceDigest of(JsonParser parser, Namespace namespace) throws IOException {
        return new Reading(parser, namespace).read();
    }

    /** The state of reading one source: the current field names and the texts read so far. */
    private static final class Reading {
        private final JsonParser parser;
        private final Namespace namespace;
        private final Set<String> pathFields;
        private final MessageDigest sha = sha256();
        private final Deque<String> names = new ArrayDeque<>();
        private final Map<String, String> texts = new HashMap<>();

        Reading(JsonParser parser, Namespace namespace) {
            this.parser = parser;
            this.namespace = namespace;
            this.pathFields = Set.copyOf(namespace.fields().all());
        }

        SourceDigest read() throws IOException {
            value();
            Namespace.Directories directories = namespace.directories();
            Fields fields = namespace.fields();
            boolean directory = directories != null && directories.value().equals(texts.get(directories.field()));
            return new SourceDigest(
                    namespace
                            .pathOf(field -> Optional.ofNullable(texts.get(field)))
                            .orElse(null),
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
            }
            JsonToken wanted =
                    at.equals(namespace.fields().depth()) ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_STRING;
            if (pathFields.contains(at) && token == wanted) {
                return;
            }
            if (at.equals(namespace.fields().ancestors()) && token == JsonToken.START_ARRAY) {
                parser.skipChildren();
                return;
            }
            digestToken(token);
            if (token == JsonToken.START_OBJECT) {
                object();
            } else if (token == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    value();
                }
                digestToken(JsonToken.END_ARRAY);
            }
        }

        private void object() throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                names.addLast(parser.currentName());
                digestToken(JsonToken.FIELD_NAME);
                parser.nextToken();
                value();
                names.removeLast();
            }
            digestToken(JsonToken.END_OBJECT);
        }

        private void digestToken(JsonToken token) throws IOException {
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
            throw new IllegalStateException("expected SHA-256 in every Java runtime", e);
        }
    }
}
