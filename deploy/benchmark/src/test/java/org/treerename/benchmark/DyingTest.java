package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DyingTest {

    @Test
    void a_rename_may_take_the_lease_two_ticks_and_half_as_long_again_as_its_rest() {
        assertThat(Dying.bound(Duration.ofSeconds(6), 2)).isEqualTo(6 + 2 * 1 + 1.5 * 2);
    }
}
