package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4.1234, 4.12",
        "0.012345, 0.0123",
        "1, 1.00",
        "12.0, 12.0",
        "123.4, 123",
        "9999, '10,000'",
        "123456, '123,000'"
    })
    void a_figure_is_shown_with_three_significant_digits(double figure, String shown) {
        assertThat(Figure.text(figure)).isEqualTo(shown);
    }
}
