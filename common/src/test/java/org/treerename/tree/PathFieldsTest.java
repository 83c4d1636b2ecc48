package org.treerename.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.store.Version;

class PathFieldsTest {

    private static final ObjectMapper EXACT = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

    private static Optional<String> rewritten(String document, Map<String, String> values) {
        return PathFields.rewritten(RawJson.of(document), "path", values).map(RawJson::toString);
    }

    @Test
    void changes_only_fields_of_the_outermost_object() {
        String document =
                "{\"n\":{\"path\":\"/a\"},\"path\":\"/a\",\"l\":[{\"path\":\"/a\"}],\"size\":1.10,\"u\":\"\\u00e9\"}";

        assertThat(rewritten(document, Map.of("path", "/b")))
                .contains(document.replace("},\"path\":\"/a\"", "},\"path\":\"/b\""));
    }

    @Test
    void escapes_a_new_value_for_json() {
        assertThat(rewritten("{\"path\":\"/a\"}", Map.of("path", "/\"\\\n\u0001ü\uD83D\uDE00")))
                .contains("{\"path\":\"/\\\"\\\\\\n\\u0001ü\uD83D\uDE00\"}");
    }

    @Test
    void accepts_an_old_value_that_is_escaped_and_followed_by_space() {
        assertThat(rewritten("{\"path\" : \"\\u002f\\\"a\\\\\" , \"x\":1}", Map.of("path", "/b")))
                .contains("{\"path\" : \"/b\" , \"x\":1}");
    }

    @Test
    void accepts_an_escaped_field_name() {
        assertThat(rewritten("{\"p\\u0061th\":\"/a\"}", Map.of("path", "/b"))).contains("{\"p\\u0061th\":\"/b\"}");
    }

    @Test
    void line_breaks_between_tokens_become_spaces() {
        assertThat(rewritten("{\r\n\"path\"\n:\n\"/a\"\n,\"t\":\"\\n\"\n}\n", Map.of("path", "/b")))
                .contains("{  \"path\" : \"/b\" ,\"t\":\"\\n\" } ");
    }

    @Test
    void does_not_add_a_missing_path_field() {
        assertThat(rewritten("{\"path\":\"/a\"}", Map.of("path", "/b", "parent", "/")))
                .contains("{\"path\":\"/b\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"/a\",\"/b\"]", "[[\"/a\"],1]", "null", "[null]", "{\"path\":\"/a\"}", "[{}]", "[]"})
    void does_not_rewrite_a_path_field_that_is_not_one_text(String value) {
        assertThat(rewritten("{\"path\":" + value + "}", Map.of("path", "/b"))).isEmpty();
        assertThat(PathFields.text(RawJson.of("{\"path\":" + value + "}"), "path"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[\"/a\"]; /a; [\"/b\"]",
                "[null, \"/a\" ,\"\\u002fa\"]; /a; [null, \"/b\" ,\"/b\"]",
                "[[\"/a\"]]; /a; [[\"/b\"]]",
                "1.50; 1.50; \"/b\"",
                "[12345678901234567890]; 12345678901234567890; [\"/b\"]",
                "true; true; \"/b\"",
            })
    void rewrites_an_array_of_one_text_and_a_number_as_what_they_are(String value, String text, String changed) {
        assertThat(rewritten("{\"x\":0,\"path\": " + value + " ,\"y\":[1]}", Map.of("path", "/b")))
                .contains("{\"x\":0,\"path\": " + changed + " ,\"y\":[1]}");
        assertThat(PathFields.text(RawJson.of("{\"path\":" + value + ",\"y\":1}"), "path"))
                .contains(text);
    }

    @Test
    void unescapes_the_text_of_a_field() {
        assertThat(PathFields.text(RawJson.of("{\"n\":{\"path\":\"/x\"},\"path\":\"\\u002fa\"}"), "path"))
                .contains("/a");
        assertThat(PathFields.text(RawJson.of("{}"), "path")).isEmpty();
    }

    @Test
    void refuses_text_that_is_not_a_json_object() {
        assertThatThrownBy(() -> rewritten("{\"path\":", Map.of("path", "/b")))
                .hasMessageContaining("expected a JSON object");
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

    private static final Fields ALL = new Fields(
            "path.virtual",
            Fields.Holds.PATH,
            "path.parent",
            "file.name",
            "path.depth",
            "above",
            List.of("tags", "see.also"));

    private static Namespace with(Fields fields) {
        return new Namespace("docs", "docs", Notation.SLASHES, fields, null, Rules.DEFAULT);
    }

    /** Returns the source of the document {@code /a/x} after a rename of {@code /a} to {@code /b/c}. */
    private static Optional<String> moved(Fields fields, String source) {
        Rename rename = new Rename("r", with(fields), new TreePath("/a"), new TreePath("/b/c"), OnExisting.FAIL);
        Document document =
                new Document(new Document.Ref("docs", "1", null, new Version(1, 1)), "/a/x", RawJson.of(source));
        return PathFields.moved(with(fields), rename.move(document)).map(RawJson::toString);
    }

    @Test
    void rewrites_fields_of_objects_and_fields_that_are_spelled_with_dots() {
        assertThat(moved(
                        ALL, "{\"path\":{\"real\":\"/a/x\", \"virtual\" : \"/a/x\",\"depth\":2 },\"file.name\":\"x\"}"))
                .contains("{\"path\":{\"real\":\"/a/x\", \"virtual\" : \"/b/c/x\",\"depth\":3 },\"file.name\":\"x\"}");
        assertThat(moved(ALL, "{\"path.virtual\":\"/a/x\",\"file\":{\"name\":\"x\"},\"path\":{\"parent\":\"/a\"}}"))
                .contains("{\"path.virtual\":\"/b/c/x\",\"file\":{\"name\":\"x\"},\"path\":{\"parent\":\"/b/c\"}}");
        assertThat(PathFields.text(RawJson.of("{\"path\":{\"real\":1},\"path.virtual\":\"v\"}"), "path.virtual"))
                .contains("v");
        assertThat(PathFields.text(RawJson.of("{\"path\":{\"o\":[{}],\"virtual\":\"v\"}}"), "path.virtual"))
                .contains("v");
        assertThat(PathFields.text(RawJson.of("{\"path\":[{\"virtual\":\"v\"}]}"), "path.virtual"))
                .contains("v");
        assertThat(PathFields.text(RawJson.of("{\"path\":{\"virtual\":\"v\"},\"path.virtual\":\"w\"}"), "path.virtual"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"path\":{\"virtual\":\"/a/x\",\"depth\":[2]},\"path.virtual\":\"/a/x\"};"
                        + " {\"path\":{\"virtual\":\"/b/c/x\",\"depth\":[3]},\"path.virtual\":\"/b/c/x\"}",
                "{\"path\":[{\"virtual\":\"/a/x\"},{\"real\":1}]}; {\"path\":[{\"virtual\":\"/b/c/x\"},{\"real\":1}]}",
                "{\"path\":{\"virtual\":[\"/a/x\"]},\"file\":[{\"name\":\"x\"}]};"
                        + " {\"path\":{\"virtual\":[\"/b/c/x\"]},\"file\":[{\"name\":\"x\"}]}",
            })
    void rewrites_each_place_of_a_field_that_holds_the_same_text(String source, String changed) {
        assertThat(moved(ALL, source)).contains(changed);
    }

    @Test
    void ancestors_become_an_array_and_a_depth_stays_a_number() {
        assertThat(moved(ALL, "{\"above\": [ \"/a\" , \"?\" ] ,\"path.virtual\":\"/a/x\",\"path.depth\":null}"))
                .contains("{\"above\": [\"/b\",\"/b/c\"] ,\"path.virtual\":\"/b/c/x\",\"path.depth\":3}");
        assertThat(moved(ALL, "{\"above\":\"/a\",\"path.virtual\":\"/a/x\"}"))
                .contains("{\"above\":[\"/b\",\"/b/c\"],\"path.virtual\":\"/b/c/x\"}");
    }

    @Test
    void rewrites_references_at_or_below_the_source_and_keeps_the_spelling_of_others() {
        assertThat(
                        moved(
                                ALL,
                                "{\"tags\":[\"/a\",\"/ab\",\"\\u002fa\\/y\",\"\\u002fz\",1,null,[\"/a/q\"],{\"x\":\"/a\"}],"
                                        + "\"path.virtual\":\"/a/x\",\"see\":[{\"also\":\"/a/1\"},{\"also\":[\"/A\"]}],\"see.also\":\"/a\"}"))
                .contains(
                        "{\"tags\":[\"/b/c\",\"/ab\",\"/b/c/y\",\"\\u002fz\",1,null,[\"/b/c/q\"],{\"x\":\"/a\"}],"
                                + "\"path.virtual\":\"/b/c/x\",\"see\":[{\"also\":\"/b/c/1\"},{\"also\":[\"/A\"]}],\"see.also\":\"/b/c\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"path\":{\"virtual\":\"/a/x\"},\"path.virtual\":\"/a/y\"}",
                "{\"path\":[{\"virtual\":\"/a/x\"},{\"virtual\":\"/b\"}]}",
                "{\"path\":{\"virtual\":[\"/a/x\",\"/b\"]}}",
                "{\"path\":{\"virtual\":null}}",
                "{\"path\":{}}",
                "{\"path.virtual\":\"/a/x\",\"path.depth\":\"2\"}",
                "{\"path.virtual\":\"/a/x\",\"path.depth\":2.0}",
                "{\"path.virtual\":\"/a/x\",\"above\":{}}",
                "{\"path.virtual\":\"/a/x\",\"file\":[{\"name\":\"x\"},{\"name\":\"y\"}]}",
            })
    void does_not_rewrite_a_document_with_invalid_path_fields(String source) {
        assertThat(moved(ALL, source)).isEmpty();
    }

    @Test
    void needs_both_fields_if_the_path_field_holds_the_directory() {
        Fields guide = new Fields("path", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());

        assertThat(moved(guide, "{\"name\":\"x\",\"path\":\"/a\"}")).contains("{\"name\":\"x\",\"path\":\"/b/c\"}");
        assertThat(moved(guide, "{\"path\":\"/a\"}")).isEmpty();
        assertThat(moved(guide, "{\"name\":\"y/x\",\"path\":\"/a\"}")).isEmpty();
        assertThat(moved(guide, "{\"name\":\"x\"}")).isEmpty();
        assertThat(PathFields.path(with(guide), RawJson.of("{\"name\":\"x\",\"path\":\"/a\"}")))
                .contains("/a/x");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    @ParameterizedTest(name = "with seed {0}")
    @MethodSource("seeds")
    void random_documents_change_only_in_path_fields_and_the_reverse_move_restores_them(long seed) throws Exception {
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
