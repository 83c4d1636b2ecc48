package org.treerename.producer.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Reads and writes the JSON of the gateway. The written JSON contains only ASCII characters. */
final class Json {

    /** The largest number of values, names and brackets in JSON, so that a short body cannot fill the memory. */
    static final int MOST_TOKENS = 50_000;

    private static final int MOST_LEVELS = 100;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MOST_TOKENS)
                            .maxNestingDepth(MOST_LEVELS)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // a path may contain a lone surrogate, which UTF-8 cannot represent
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Reads JSON. Throws if the text is not JSON, contains a field twice, or exceeds a limit. */
    static JsonNode read(byte[] text) throws IOException {
        return MAPPER.readTree(text);
    }

    /** Reads JSON that the journal stores as text. */
    static JsonNode stored(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the control index contains text that is not JSON: " + text, e);
        }
    }

    static String write(JsonNode json) {
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write a value as JSON", e);
        }
    }
}
