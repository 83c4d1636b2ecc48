package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.Time;

class ClientsTest {

    private static final Duration LENGTH = Duration.ofSeconds(2);

    private final AtomicLong nanos = new AtomicLong();
    private final Time time = new Time() {
        @Override
        public Instant now() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void pause(Duration length) {
            nanos.addAndGet(length.toNanos());
        }
    };

    @Test
    void counts_renames_until_the_time_is_over_and_includes_the_last_run_with_its_whole_duration() throws Exception {
        double perSecond = new Clients(1, LENGTH)
                .work(time, over -> {
                    time.pause(Duration.ofMillis(750));
                    return 6;
                })
                .perSecond();

        assertThat(perSecond).isEqualTo(18 / 2.25);
    }

    @Test
    void each_client_works_at_least_once() throws Exception {
        AtomicInteger begun = new AtomicInteger();

        new Clients(3, Duration.ZERO)
                .work(time, over -> {
                    time.pause(LENGTH);
                    return begun.incrementAndGet();
                })
                .perSecond();

        assertThat(begun).hasValue(3);
    }

    @Test
    void all_clients_work_at_once() throws Exception {
        CyclicBarrier all = new CyclicBarrier(4);

        double perSecond = new Clients(4, LENGTH)
                .work(time, over -> {
                    if (all.await(1, TimeUnit.MINUTES) == 0) {
                        time.pause(LENGTH);
                    }
                    all.await(1, TimeUnit.MINUTES);
                    return 1;
                })
                .perSecond();

        assertThat(perSecond).isEqualTo(2);
    }

    @Test
    void a_failure_of_one_client_fails_the_measurement() {
        Clients clients = new Clients(2, Duration.ZERO);

        assertThatThrownBy(() -> clients.work(time, over -> {
                    throw new IllegalStateException("no answer");
                }))
                .cause()
                .hasMessage("no answer");
    }

    @Test
    void zero_clients_are_refused() {
        assertThatThrownBy(() -> new Clients(0, LENGTH)).hasMessageContaining("found 0");
    }
}
