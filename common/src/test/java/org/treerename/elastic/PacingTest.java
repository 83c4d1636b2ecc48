package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacingTest {

    private long now = Long.MAX_VALUE - 50;

    private final Pacing pacing = new Pacing(() -> now, true);

    @Test
    void the_first_group_begins_at_once() {
        assertThat(pacing.pauseNanos()).isZero();
    }

    @Test
    void after_a_group_of_several_as_much_time_passes_as_it_took() {
        long begun = pacing.now();
        now += 100;
        pacing.ended(begun, 2);

        assertThat(pacing.pauseNanos()).isEqualTo(100);
        now += 100;
        assertThat(pacing.pauseNanos()).isZero();
    }

    @Test
    void after_a_group_of_one_the_next_begins_at_once() {
        long begun = pacing.now();
        now += 100;
        pacing.ended(begun, 1);

        assertThat(pacing.pauseNanos()).isZero();
    }

    @Test
    void one_that_is_off_delays_nothing() {
        Pacing off = new Pacing(() -> now, false);
        long begun = off.now();
        now += 100;
        off.ended(begun, 2);

        assertThat(off.pauseNanos()).isZero();
    }
}
