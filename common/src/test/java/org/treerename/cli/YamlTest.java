package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class YamlTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> PARTS = List.of(
            "a", "/", " ", "-", "- ", ":", ": ", "#", " #", "\n", "\t", "\"", "'", "no", "null", "1", "1e3", "~", "{",
            "[", "*", "&", "!", "%", "@", "`", "|", ">", "?", "ä", "\u0085", "\u2028", "\u001b", "\\", "=", "<<", ",");

    private static JsonNode json(String text) throws Exception {
        return MAPPER.readTree(text);
    }

    private static JsonNode readBack(List<String> lines) {
        return MAPPER.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(String.join("\n", lines)));
    }

    @Test
    void writes_objects_and_lists_in_block_style() throws Exception {
        assertThat(Yaml.lines(json("{\"a\":1,\"b\":{\"c\":\"/x y\",\"d\":[1,{\"e\":null,\"f\":true},[]]},\"g\":{}}")))
                .containsExactly(
                        "a: 1",
                        "b:",
                        "  c: /x y",
                        "  d:",
                        "    - 1",
                        "    - e: null",
                        "      f: true",
                        "    - []",
                        "g: {}");
        assertThat(Yaml.elementLines(json("{\"a\":[1],\"b\":2}"))).containsExactly("- a:", "    - 1", "  b: 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no", "Off", "y", "NULL", "1", "1.5", "", " a", "a: b", "#", "2026-01-01", "0x1f", "=", "~"})
    void quotes_a_text_that_some_reader_does_not_read_as_a_text(String text) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("key", text);

        assertThat(Yaml.lines(object))
                .singleElement()
                .asString()
                .startsWith("key: \"")
                .endsWith("\"");
    }

    @Test
    void no_control_character_reaches_a_terminal() {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("a\u009b", "\u001b[2J\u202e");

        assertThat(Yaml.lines(object)).containsExactly("\"a\\u009b\": \"\\u001B[2J\\u202e\"");
    }

    @RepeatedTest(200)
    void a_reader_of_yaml_reads_the_same_value(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        JsonNode value = value(random, 0);

        assertThat(readBack(Yaml.lines(value)))
                .as("seed %d", repetition.getCurrentRepetition())
                .isEqualTo(value);
    }

    private static JsonNode value(Random random, int depth) {
        switch (random.nextInt(depth > 3 ? 3 : 5)) {
            case 0 -> {
                return JsonNodeFactory.instance.textNode(text(random));
            }
            case 1 -> {
                return JsonNodeFactory.instance.numberNode(random.nextInt());
            }
            case 2 -> {
                return random.nextBoolean()
                        ? JsonNodeFactory.instance.booleanNode(random.nextBoolean())
                        : JsonNodeFactory.instance.nullNode();
            }
            case 3 -> {
                var array = JsonNodeFactory.instance.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(random, depth + 1));
                }
                return array;
            }
            default -> {
                var object = JsonNodeFactory.instance.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(text(random), value(random, depth + 1));
                }
                return object;
            }
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return text.toString();
    }
}
