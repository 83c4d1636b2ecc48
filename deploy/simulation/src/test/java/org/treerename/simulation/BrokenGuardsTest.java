package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guards of the protocol are there for something: without one of them a run goes wrong. */
class BrokenGuardsTest {

    private static final long SEEDS = 30_000;
    private static final long SEEDS_WITHOUT_THE_LEASE = 1_000;

    @ParameterizedTest(name = "without {0}")
    @EnumSource(value = Without.class, mode = EnumSource.Mode.EXCLUDE, names = "LEASE_CHECK")
    void without_one_of_its_guards_the_protocol_is_found_out(Without guard) {
        assertThat(Campaign.run(1, SEEDS, guard, soFar -> {}).failure()).isPresent();
    }

    @Test
    void safety_does_not_rest_on_the_check_of_the_own_lease() {
        assertThat(Campaign.run(1, SEEDS_WITHOUT_THE_LEASE, Without.LEASE_CHECK, soFar -> {})
                        .failure()
                        .map(Simulation.Result::violations))
                .isEmpty();
    }
}
