package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DyingTest {

    @Test
    void a_rename_may_take_the_lease_two_ticks_and_half_as_long_again_as_its_rest() {
        assertThat(Dying.bound(Duration.ofSeconds(6), 2)).isEqualTo(6 + 2 * 1 + 1.5 * 2);
    }

    @Test
    void a_worker_that_dies_with_documents_left_is_met_in_the_middle() {
        assertThat(new Dying.Kill(1, true, 7).isInTheMiddle()).isTrue();
    }

    @Test
    void a_worker_that_has_moved_all_documents_is_not_met_in_the_middle() {
        assertThat(new Dying.Kill(0, true, 7).isInTheMiddle()).isFalse();
    }

    @Test
    void a_worker_that_finishes_its_rename_is_not_met_in_the_middle() {
        assertThat(new Dying.Kill(1, false, 7).isInTheMiddle()).isFalse();
    }
}
