package org.treerename.elastic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;

/**
 * The JSON mapper of this package. The mapper writes ASCII only. The reason is that a path in a request may contain a
 * lone surrogate, which UTF-8 cannot encode.
 */
public final class Json {

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNestingDepth(100_000)
                    .build())
            .build();

    public static final ObjectMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot write a value as JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static JsonNode read(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new NoAnswerException("an answer of Elasticsearch is not JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a field of an answer.
     *
     * @throws NoAnswerException if the answer does not have this field
     */
    public static JsonNode field(JsonNode answer, String name) {
        JsonNode field = answer.path(name);
        if (field.isMissingNode()) {
            throw new NoAnswerException(
                    "expected the field " + name + " in an answer of Elasticsearch, found " + answer, null);
        }
        return field;
    }

    static JsonNode resource(String name) {
        try (InputStream in = open(name)) {
            return MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    static String text(String name) {
        try (InputStream in = open(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    private static InputStream open(String name) {
        InputStream in = Json.class.getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException("the resource " + name + " does not exist");
        }
        return in;
    }

    /** Returns the texts in an array; an empty list if the array is missing. */
    static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    static @Nullable Instant instant(JsonNode node) {
        return node.isTextual() ? Instant.parse(node.textValue()) : null;
    }

    static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
