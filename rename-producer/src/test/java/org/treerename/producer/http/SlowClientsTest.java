package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.producer.SteppedTime;

class SlowClientsTest {

    private static final Duration MOST = Duration.ofSeconds(10);

    private final SteppedTime time = new SteppedTime();
    private final SlowClients slow = new SlowClients(time);

    @AfterEach
    void forget() {
        Thread.interrupted();
    }

    @Test
    void whoTakesTooLongIsInterruptedOnce() {
        slow.begin(MOST);
        time.advance(MOST.minusNanos(1));
        slow.look();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        time.advance(Duration.ofNanos(1));
        slow.look();
        assertThat(Thread.interrupted()).isTrue();
        slow.look();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(slow.size()).isZero();
    }

    @Test
    void whoIsDoneInTimeIsNot() {
        slow.within(MOST, () -> time.advance(MOST.minusNanos(1)));
        time.advance(MOST);
        slow.look();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(slow.size()).isZero();
    }
}
