package org.treerename.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopTest {

    @Test
    void a_step_that_throws_is_followed_by_the_next() throws InterruptedException {
        AtomicInteger steps = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(3);

        try (Loop loop = Loop.start("test", new SystemTime(), Duration.ofMillis(1), () -> {
            steps.incrementAndGet();
            third.countDown();
            throw new IllegalStateException("403");
        })) {
            assertThat(third.await(120, TimeUnit.SECONDS)).isTrue();
        }

        int closed = steps.get();
        assertThat(closed).isGreaterThanOrEqualTo(3);
        assertThat(steps).hasValue(closed);
    }
}
