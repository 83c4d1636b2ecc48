package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DyingTest {

    @Test
    void the_bound_is_the_lease_two_ticks_and_one_and_a_half_times_the_remaining_rename() {
        assertThat(Dying.bound(Duration.ofSeconds(6), 2)).isEqualTo(6 + 2 * 1 + 1.5 * 2);
    }

    @Test
    void a_worker_that_dies_with_documents_left_was_killed_in_the_middle() {
        assertThat(new Dying.Kill(1, true, 7).isInTheMiddle()).isTrue();
    }

    @Test
    void a_worker_that_moved_all_documents_was_not_killed_in_the_middle() {
        assertThat(new Dying.Kill(0, true, 7).isInTheMiddle()).isFalse();
    }

    @Test
    void a_worker_that_finishes_its_rename_was_not_killed_in_the_middle() {
        assertThat(new Dying.Kill(1, false, 7).isInTheMiddle()).isFalse();
    }
}
