package org.treerename.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Reads the JSON of results. Numbers keep all their digits. */
public final class ResultJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private ResultJson() {}

    /**
     * Parses a JSON text.
     *
     * @throws JsonProcessingException if the text is not JSON
     */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }
}
