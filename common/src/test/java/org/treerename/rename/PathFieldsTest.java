package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathFieldsTest {

    private static final ObjectMapper EXACT = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

    private static Optional<String> rewritten(String document, Map<String, String> values) {
        return PathFields.rewritten(RawJson.of(document), "path", values).map(RawJson::toString);
    }

    @Test
    void only_the_values_of_the_fields_of_the_outermost_object_change() {
        String document =
                "{\"n\":{\"path\":\"/a\"},\"path\":\"/a\",\"l\":[{\"path\":\"/a\"}],\"size\":1.10,\"u\":\"\\u00e9\"}";

        assertThat(rewritten(document, Map.of("path", "/b")))
                .contains(document.replace("},\"path\":\"/a\"", "},\"path\":\"/b\""));
    }

    @Test
    void a_new_value_is_escaped_as_json_wants_it() {
        assertThat(rewritten("{\"path\":\"/a\"}", Map.of("path", "/\"\\\n\u0001ü\uD83D\uDE00")))
                .contains("{\"path\":\"/\\\"\\\\\\n\\u0001ü\uD83D\uDE00\"}");
    }

    @Test
    void an_old_value_may_be_escaped_and_followed_by_space() {
        assertThat(rewritten("{\"path\" : \"\\u002f\\\"a\\\\\" , \"x\":1}", Map.of("path", "/b")))
                .contains("{\"path\" : \"/b\" , \"x\":1}");
    }

    @Test
    void a_field_name_may_be_escaped() {
        assertThat(rewritten("{\"p\\u0061th\":\"/a\"}", Map.of("path", "/b"))).contains("{\"p\\u0061th\":\"/b\"}");
    }

    @Test
    void line_breaks_between_tokens_become_spaces() {
        assertThat(rewritten("{\r\n\"path\"\n:\n\"/a\"\n,\"t\":\"\\n\"\n}\n", Map.of("path", "/b")))
                .contains("{  \"path\" : \"/b\" ,\"t\":\"\\n\" } ");
    }

    @Test
    void a_path_field_that_is_not_there_is_not_added() {
        assertThat(rewritten("{\"path\":\"/a\"}", Map.of("path", "/b", "parent", "/")))
                .contains("{\"path\":\"/b\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"/a\"]", "null", "1", "true", "{\"path\":\"/a\"}", "[]"})
    void a_path_field_that_is_not_one_string_is_not_rewritten(String value) {
        assertThat(rewritten("{\"path\":" + value + "}", Map.of("path", "/b"))).isEmpty();
        assertThat(PathFields.text(RawJson.of("{\"path\":" + value + "}"), "path"))
                .isEmpty();
    }

    @Test
    void the_text_of_a_field_is_unescaped() {
        assertThat(PathFields.text(RawJson.of("{\"n\":{\"path\":\"/x\"},\"path\":\"\\u002fa\"}"), "path"))
                .contains("/a");
        assertThat(PathFields.text(RawJson.of("{}"), "path")).isEmpty();
    }

    @Test
    void what_is_no_json_object_is_refused() {
        assertThatThrownBy(() -> rewritten("{\"path\":", Map.of("path", "/b")))
                .hasMessageContaining("not a JSON object");
        assertThat(rewritten("[]", Map.of("path", "/b"))).isEmpty();
    }

    @Test
    void long_and_deep_documents_are_rewritten() {
        String longest = "x".repeat(100_000);
        String deep = "[".repeat(2_000) + "]".repeat(2_000);
        String number = "1".repeat(5_000);
        String document = "{\"t\":\"%s\",\"path\":\"/%s\",\"d\":%s,\"n\":%s}".formatted(longest, longest, deep, number);

        assertThat(rewritten(document, Map.of("path", "/b")))
                .contains("{\"t\":\"%s\",\"path\":\"/b\",\"d\":%s,\"n\":%s}".formatted(longest, deep, number));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    @ParameterizedTest(name = "with seed {0}")
    @MethodSource("seeds")
    void random_documents_differ_in_the_path_fields_alone_and_come_back_as_they_were(long seed) throws Exception {
        Map<String, String> here = Map.of("path", "/a/x", "parent", "/a", "name", "x");
        Map<String, String> there = Map.of("path", "/ü/\"y\"", "parent", "/ü", "name", "\"y\"");
        String document = new RandomJson(seed).document(here);

        String moved = rewritten(document, there).orElseThrow();

        ObjectNode expected = (ObjectNode) EXACT.readTree(document);
        there.forEach(expected::put);
        JsonNode found = EXACT.readTree(moved);
        assertThat(found).isEqualTo(expected);
        assertThat(rewritten(moved, here)).contains(document);
    }
}
