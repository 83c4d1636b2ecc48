package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {

    private final DurationConverter converter = new DurationConverter();

    @Test
    void a_number_and_its_unit_are_a_duration() {
        assertThat(converter.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(converter.convert("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(converter.convert("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(converter.convert("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(converter.convert("7d")).isEqualTo(Duration.ofDays(7));
        assertThat(converter.convert("999999999d")).isEqualTo(Duration.ofDays(999_999_999));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "1.5s", "5 s", "5S", "PT5S", "5s5", "1234567890s"})
    void refuses_every_other_text_with_the_text_in_the_message(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageEndingWith("found \"" + text + "\"");
    }
}
