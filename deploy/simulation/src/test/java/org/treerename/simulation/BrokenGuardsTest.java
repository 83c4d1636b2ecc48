package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Guards of the protocol are there for something: without one of them a run goes wrong. Those left out are noticed by
 * nothing here: a dead hold is swept by the janitors, too, if later; and a second empty pass, the acting on RETRY, the touch
 * before a sweep and the write between scan and moves are each backed by another guard, so that only a rarer meeting of faults
 * than these runs bring about would tell.
 */
class BrokenGuardsTest {

    private static final long SEEDS = 5_000;

    @ParameterizedTest(name = "without {0}")
    @EnumSource(
            value = Without.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "WRITE_BETWEEN_SCAN_AND_MOVES",
                "RETRY_HEEDED",
                "REMOVAL_OF_DEAD_HOLDS",
                "TOUCH_BEFORE_A_SWEEP",
                "SECOND_EMPTY_PASS"
            })
    void without_one_of_its_guards_the_protocol_is_found_out(Without guard) {
        assertThat(Campaign.run(1, SEEDS, guard, soFar -> {}).failure()).isPresent();
    }
}
