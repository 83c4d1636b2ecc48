package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");

    @Test
    void each_pause_has_the_interval_of_its_try() {
        Backoff backoff = new Backoff.Factory(time, tries -> tries * 1_000L).begin("something");

        backoff.pause();
        backoff.pauseAfter(new IllegalStateException("no"));

        assertThat(backoff.tries()).isEqualTo(2);
        assertThat(time.now()).isEqualTo(Instant.parse("2026-03-01T10:00:03Z"));
    }

    @Test
    void each_backoff_begins_with_the_first_pause() {
        Backoff.Factory factory = new Backoff.Factory(time, IntervalFunction.ofExponentialBackoff(1_000, 2));
        factory.begin("one").pause();

        factory.begin("other").pause();

        assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @RepeatedTest(20)
    void jittered_pauses_grow_from_tens_of_milliseconds_and_stay_below_three_seconds() {
        Backoff backoff = Backoff.Factory.jittered(time).begin("something");
        backoff.pause();
        assertThat(Duration.ofNanos(time.nanos())).isBetween(Duration.ofMillis(10), Duration.ofMillis(30));

        for (int i = 0; i < 30; i++) {
            backoff.pause();
        }
        long before = time.nanos();
        backoff.pause();

        assertThat(Duration.ofNanos(time.nanos() - before)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(3));
    }
}
