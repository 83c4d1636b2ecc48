package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");

    @Test
    void both_clocks_move_only_when_they_are_advanced() {
        assertThat(time.now()).isEqualTo(Instant.parse("2026-03-01T10:00:00Z"));

        time.advance(Duration.ofSeconds(2));
        time.pause(Duration.ofSeconds(3));

        assertThat(time.now()).isEqualTo(Instant.parse("2026-03-01T10:00:05Z"));
        assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
    }

    @Test
    void planned_events_run_in_order_at_their_times() {
        List<Instant> seen = new ArrayList<>();
        time.plan(Duration.ofSeconds(2), () -> seen.add(time.now()));
        time.plan(Duration.ofSeconds(1), () -> seen.add(time.now()));
        time.plan(Duration.ofSeconds(9), () -> seen.add(time.now()));

        time.advance(Duration.ofSeconds(5));

        assertThat(seen).containsExactly(Instant.parse("2026-03-01T10:00:01Z"), Instant.parse("2026-03-01T10:00:02Z"));
    }

    @Test
    void throws_after_too_many_pauses() {
        for (int i = 0; i < ManualTime.MOST_PAUSES; i++) {
            time.pause(Duration.ofMillis(1));
        }

        assertThatThrownBy(() -> time.pause(Duration.ofMillis(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("never comes");
    }
}
