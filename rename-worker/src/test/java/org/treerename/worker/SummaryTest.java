package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.ManualTime;

final class SummaryTest {

    private static final LoopReading READING =
            new LoopReading(true, false, 5, Map.of("0", new LoopReading.Queue(9, 4), "1", new LoopReading.Queue(3, 2)));

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Summary summary = new Summary(time);

    private void ended(String request, RecordResult result, int millis) {
        summary.ended(request, result, Duration.ofMillis(millis).toNanos());
    }

    @Test
    void counts_the_ended_requests_by_result_and_names_the_slowest() {
        ended("r1", RecordResult.COMPLETED, 20);
        ended("r2", RecordResult.REJECTED, 412);
        ended("r3", RecordResult.COMPLETED, 30);
        time.advance(Duration.ofMillis(1_100));

        assertThat(summary.lineIfDue(READING))
                .contains(
                        "requests ended in 1.1 s: 3 (2 completed, 1 rejected); 5 in progress, 6 waiting; slowest: r2, 412 ms");
    }

    @Test
    void has_a_line_one_second_after_the_first_end_and_not_before() {
        time.advance(Duration.ofMinutes(1));
        ended("r1", RecordResult.COMPLETED, 20);
        time.advance(Duration.ofMillis(999));
        assertThat(summary.lineIfDue(READING)).isEmpty();

        time.advance(Duration.ofMillis(1));
        assertThat(summary.lineIfDue(READING)).isPresent();
    }

    @Test
    void has_no_line_if_no_request_has_ended() {
        time.advance(Duration.ofMinutes(1));

        assertThat(summary.lineIfDue(READING)).isEmpty();
        assertThat(summary.line(READING)).isEmpty();
    }

    @Test
    void counts_from_zero_after_each_line() {
        ended("r1", RecordResult.FAILED, 500);
        assertThat(summary.line(READING)).isPresent();
        ended("r2", RecordResult.RELEASED, 7);

        assertThat(summary.line(READING))
                .contains(
                        "requests ended in 0.0 s: 1 (1 to be delivered again); 5 in progress, 6 waiting; slowest: r2, 7 ms");
        assertThat(summary.line(READING)).isEmpty();
    }
}
