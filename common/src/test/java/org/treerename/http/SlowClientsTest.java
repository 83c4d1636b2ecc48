package org.treerename.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.ManualTime;

class SlowClientsTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ManualTime time = ManualTime.startingAt("2026-08-01T10:00:00Z");
    private final SlowClients slow = new SlowClients(time);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void interrupts_a_thread_once_if_its_client_is_too_slow() {
        slow.begin(LIMIT);
        time.advance(LIMIT.minusNanos(1));
        slow.poll();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        time.advance(Duration.ofNanos(1));
        slow.poll();
        assertThat(Thread.interrupted()).isTrue();
        slow.poll();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(slow.size()).isZero();
    }

    @Test
    void does_not_interrupt_a_thread_that_finishes_in_time() {
        slow.within(LIMIT, () -> time.advance(LIMIT.minusNanos(1)));
        time.advance(LIMIT);
        slow.poll();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(slow.size()).isZero();
    }
}
