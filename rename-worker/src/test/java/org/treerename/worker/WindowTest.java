package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WindowTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1000", "1000, 1000000"})
    void accepts_the_limits_of_its_range(int concurrency, int requests) {
        assertThatCode(() -> new Window(concurrency, requests)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1_001})
    void refuses_a_concurrency_outside_1_to_1000(int concurrency) {
        assertThatThrownBy(() -> new Window(concurrency, 10_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a worker carries 1 to 1000 requests at once, found " + concurrency);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 63, 1_000_001})
    void refuses_fewer_requests_than_run_at_once_or_more_than_a_million(int requests) {
        assertThatThrownBy(() -> new Window(64, requests))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a window has as many requests as are carried at once (64) to 1000000, found " + requests);
    }

    @Test
    void a_window_of_one_request_is_half_empty_without_any() {
        PartitionQueue queue = new PartitionQueue();
        Window one = new Window(1, 1);

        assertThat(one.isHalfEmpty(queue)).isTrue();
        assertThat(one.isFull(queue)).isFalse();
    }
}
