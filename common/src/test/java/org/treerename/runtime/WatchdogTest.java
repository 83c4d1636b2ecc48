package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ManualTime time = ManualTime.startingAt("2026-01-01T00:00:00Z");
    private final AtomicBoolean heldUp = new AtomicBoolean();
    private final Watchdog watchdog = new Watchdog(time, PATIENCE, heldUp::get);

    @Test
    void what_is_under_way_and_has_not_moved_for_longer_than_the_patience_is_stuck() {
        watchdog.begin();
        time.pause(PATIENCE);
        assertThat(watchdog.isStuck()).isFalse();

        time.pause(Duration.ofMillis(1));
        assertThat(watchdog.isStuck()).isTrue();
    }

    @Test
    void what_goes_on_moving_is_not_stuck_however_long_it_takes() {
        watchdog.begin();
        for (int i = 0; i < 10; i++) {
            time.pause(PATIENCE);
            watchdog.moved();
        }
        assertThat(watchdog.isStuck()).isFalse();
    }

    @Test
    void who_has_nothing_under_way_is_not_stuck() {
        watchdog.begin();
        watchdog.end();
        time.pause(PATIENCE.multipliedBy(2));
        assertThat(watchdog.isStuck()).isFalse();
        watchdog.begin();
        assertThat(watchdog.isStuck()).isFalse();
    }

    @Test
    void what_is_held_up_is_not_stuck_and_has_the_whole_patience_afterwards() {
        watchdog.begin();
        heldUp.set(true);
        time.pause(PATIENCE.multipliedBy(2));
        assertThat(watchdog.isStuck()).isFalse();
        heldUp.set(false);
        time.pause(PATIENCE);
        assertThat(watchdog.isStuck()).isFalse();

        time.pause(Duration.ofMillis(1));
        assertThat(watchdog.isStuck()).isTrue();
    }

    @Test
    void a_patience_that_is_none_is_refused() {
        assertThatThrownBy(() -> new Watchdog(time, Duration.ZERO, heldUp::get)).hasMessageContaining("PT0S");
    }
}
