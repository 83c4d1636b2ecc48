package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ManualTime time = ManualTime.startingAt("2026-01-01T00:00:00Z");
    private final AtomicBoolean heldUp = new AtomicBoolean();
    private final Watchdog watchdog = new Watchdog(time, PATIENCE, heldUp::get);
    private final List<Boolean> stuck = new ArrayList<>();

    private void check() {
        stuck.add(watchdog.isStuck());
    }

    private void watch(Runnable work) {
        assertThat(watchdog.watch(() -> {
                    work.run();
                    return "done";
                }))
                .isEqualTo("done");
    }

    @Test
    void work_that_has_not_moved_for_longer_than_the_patience_is_stuck() {
        watch(() -> {
            time.pause(PATIENCE);
            check();
            time.pause(Duration.ofMillis(1));
            check();
        });
        assertThat(stuck).containsExactly(false, true);
    }

    @Test
    void work_that_keeps_moving_is_not_stuck_however_long_it_takes() {
        watch(() -> {
            for (int i = 0; i < 3; i++) {
                time.pause(PATIENCE);
                watchdog.moved();
                check();
            }
        });
        assertThat(stuck).containsExactly(false, false, false);
    }

    @Test
    void one_thread_that_moves_does_not_hide_another_one_that_is_stuck() throws InterruptedException {
        watch(() -> {
            time.pause(PATIENCE.plusMillis(1));
            Thread other = Thread.ofPlatform()
                    .start(() -> watch(() -> {
                        watchdog.moved();
                        check();
                    }));
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(stuck).containsExactly(true);
    }

    @Test
    void a_watchdog_without_work_is_not_stuck_even_after_failed_work() {
        assertThatThrownBy(() -> watch(() -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        watchdog.moved();
        time.pause(PATIENCE.multipliedBy(2));
        assertThat(watchdog.isStuck()).isFalse();
    }

    @Test
    void held_work_is_not_stuck_and_has_the_whole_patience_afterwards() {
        watch(() -> {
            heldUp.set(true);
            time.pause(PATIENCE.multipliedBy(2));
            check();
            heldUp.set(false);
            time.pause(PATIENCE);
            check();
            time.pause(Duration.ofMillis(1));
            check();
        });
        assertThat(stuck).containsExactly(false, false, true);
    }

    @Test
    void refuses_a_patience_of_zero() {
        assertThatThrownBy(() -> new Watchdog(time, Duration.ZERO, heldUp::get)).hasMessageContaining("0s");
    }
}
