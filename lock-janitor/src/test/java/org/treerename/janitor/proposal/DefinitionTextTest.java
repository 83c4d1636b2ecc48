package org.treerename.janitor.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class DefinitionTextTest {

    private static final List<String> PARTS = List.of(
            "a", "/", " ", "-", "- ", ":", ": ", "#", " #", "\n", "\t", "\"", "'", "no", "null", "1", "1e3", "~", "{",
            "[", "*", "&", "!", "%", "@", "`", "|", ">", "?", "ä", "\u0085", "\u2028", "\u001b", "\\", "=", "<<", ",");

    @ParameterizedTest
    @ValueSource(
            strings = {"no", "Off", "y", "NULL", "1", "1.5", "", " a", "a: b", "#", "2026-01-01", "0x1f", "=", "~"})
    void quotes_a_text_that_some_reader_does_not_read_as_a_text(String text) {
        assertThat(DefinitionText.text(text)).startsWith("\"").endsWith("\"");
    }

    @Test
    void no_control_character_reaches_a_terminal() {
        assertThat(DefinitionText.text("a\u009b\u001b[2J\u202e")).isEqualTo("\"a\\u009b\\u001B[2J\\u202e\"");
    }

    @RepeatedTest(200)
    void a_reader_of_yaml_reads_the_same_text(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }

        String yaml = "field: " + DefinitionText.text(text.toString());

        assertThat(new Load(LoadSettings.builder().build()).loadFromString(yaml))
                .as("seed %d", repetition.getCurrentRepetition())
                .isEqualTo(Map.of("field", text.toString()));
    }
}
