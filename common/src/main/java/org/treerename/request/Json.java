package org.treerename.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes the JSON in Kafka records. */
public final class Json {

    /** A mapper that refuses an object with the same field twice, because two programs may read it differently. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final ObjectMapper LENIENT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** A mapper that writes every text that a Java string can hold, including a lone surrogate. */
    private static final ObjectMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Json() {}

    /** Returns whether bytes that {@link #MAPPER} has refused are JSON, so that only a repeated field was the reason. */
    public static boolean hasRepeatedField(byte[] refused) {
        try {
            return LENIENT.readTree(refused) != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Formats a time in UTC with milliseconds. Returns null for null. */
    public static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : MILLIS.format(instant);
    }

    /**
     * Parses a time. Returns null for null.
     *
     * @throws java.time.format.DateTimeParseException if the text is not a time
     */
    public static @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    /**
     * Decodes the text of a record.
     *
     * @param what the kind of the record, for messages
     * @throws IllegalArgumentException if the text is not JSON, or if the function refuses it
     */
    public static <T> T decode(String text, String what, Function<JsonNode, T> decoded) {
        try {
            return decoded.apply(MAPPER.readTree(text));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "expected " + what + " as JSON, found an error: " + e.getOriginalMessage(), e);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("expected a time in " + what + ", found an error: " + e.getMessage(), e);
        }
    }

    /**
     * Writes JSON as UTF-8. Throws {@link IllegalArgumentException} for a lone surrogate, which UTF-8 cannot encode.
     */
    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a value cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static String writeAscii(JsonNode node) {
        try {
            return ASCII.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a value cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }
}
