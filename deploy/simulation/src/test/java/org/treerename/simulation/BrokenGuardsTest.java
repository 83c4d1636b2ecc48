package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Guards of the protocol are there for something: without one of them a run goes wrong. Those left out are noticed by nothing
 * here: a dead hold is swept by the janitors, too, if later; a second empty pass and the write between scan and moves are
 * backed by other guards, so that only a rarer meeting of faults than these runs bring about would tell; and a document that
 * is deleted never comes back under its id, so that its version at the removal makes no difference in these runs.
 */
class BrokenGuardsTest {

    private static final long SEEDS = 60_000;
    private static final long SEEDS_WITHOUT_THE_LEASE = 1_000;

    @ParameterizedTest(name = "without {0}")
    @EnumSource(
            value = Without.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "LEASE_CHECK",
                "WRITE_BETWEEN_SCAN_AND_MOVES",
                "REMOVAL_OF_DEAD_HOLDS",
                "SECOND_EMPTY_PASS",
                "VERSION_OF_THE_REMOVAL"
            })
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
