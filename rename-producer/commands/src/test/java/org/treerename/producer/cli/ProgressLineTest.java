package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.producer.SteppedTime;

class ProgressLineTest {

    private final SteppedTime time = new SteppedTime();
    private final StringWriter err = new StringWriter();

    @Test
    void overwrites_one_line_on_a_terminal_and_erases_it_at_the_end() {
        try (ProgressLine progress = new ProgressLine(new PrintWriter(err), true, time, 1_000)) {
            assertThat(progress.isDue()).isFalse();
            time.advance(Duration.ofSeconds(2));
            assertThat(progress.isDue()).isTrue();

            progress.show(2_000, 10_000, ", 10 not done");

            assertThat(progress.isDue()).isFalse();
        }
        assertThat(err.toString())
                .isEqualTo("\r\u001b[K2000 of 10000 (20.0 %), 10 not done, 500 per second, 16 s left\r\u001b[K");
    }

    @Test
    void shows_nothing_after_close() {
        ProgressLine progress = new ProgressLine(new PrintWriter(err), true, time, 0);
        progress.close();

        progress.show(1, 2, "");

        assertThat(err.toString()).isEmpty();
    }

    @Test
    void writes_a_line_every_ten_seconds_if_there_is_no_terminal() {
        try (ProgressLine progress = new ProgressLine(new PrintWriter(err), false, time, 0)) {
            time.advance(Duration.ofSeconds(9));
            assertThat(progress.isDue()).isFalse();
            time.advance(Duration.ofSeconds(1));

            progress.show(100, 100_000, "");
        }
        assertThat(err.toString()).isEqualTo("100 of 100000 (0.1 %), 10 per second, 2 h 46 min left\n");
    }
}
