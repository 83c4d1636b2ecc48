package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Durations}. */
class DurationsTest {

    @ParameterizedTest
    @CsvSource({"0, 0s", "1, 1ms", "999, 999ms", "1000, 1s", "1500, 1500ms", "90000, 90s", "86400000, 24h", "-5, -5ms"})
    void prints_whole_hours_seconds_or_milliseconds(long millis, String text) {
        assertThat(Durations.text(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void prints_less_than_a_millisecond_as_zero_milliseconds() {
        assertThat(Durations.text(Duration.ofNanos(500))).isEqualTo("0ms");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void accepts_the_limits_and_the_values_between_them(long seconds) {
        assertThatCode(() -> require(Duration.ofSeconds(seconds))).doesNotThrowAnyException();
    }

    @Test
    void refuses_values_outside_the_limits_and_names_setting_limits_and_value() {
        assertThatThrownBy(() -> require(Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("grace must be 1s to 3s, found 999ms");
        assertThatThrownBy(() -> require(Duration.ofMillis(3001))).hasMessage("grace must be 1s to 3s, found 3001ms");
    }

    private static void require(Duration found) {
        Durations.requireBetween("grace", Duration.ofSeconds(1), Duration.ofSeconds(3), found);
    }
}
