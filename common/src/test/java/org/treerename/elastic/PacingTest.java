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
    void pauses_after_a_group_of_several_for_as_long_as_it_took() {
        long begun = pacing.now();
        now += 100;
        pacing.ended(begun, 2);

        assertThat(pacing.pauseNanos()).isEqualTo(100);
        now += 100;
        assertThat(pacing.pauseNanos()).isZero();
    }

    @Test
    void the_next_group_after_a_group_of_one_begins_at_once() {
        long begun = pacing.now();
        now += 100;
        pacing.ended(begun, 1);

        assertThat(pacing.pauseNanos()).isZero();
    }

    @Test
    void does_not_pause_if_it_is_off() {
        Pacing off = new Pacing(() -> now, false);
        long begun = off.now();
        now += 100;
        off.ended(begun, 2);

        assertThat(off.pauseNanos()).isZero();
    }
}
