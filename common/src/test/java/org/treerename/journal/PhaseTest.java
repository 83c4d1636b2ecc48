package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PhaseTest {

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PREPARED", "RETRY", "HELD"})
    void an_undecided_entry_cannot_have_a_state_after_the_decision(State state) {
        assertThatThrownBy(() -> new Phase.Undecided(state)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"REJECTED", "FAILED", "CANCELLED"})
    void only_a_rename_that_moved_nothing_ends_without_a_decision(State state) {
        assertThatThrownBy(() -> new Phase.Refused(state, new Ending(Instant.EPOCH, "{}")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_decided_rename_cannot_be_closed_without_its_outcome() {
        Decision decision = new Decision(Instant.EPOCH, "worker-1", Map.of(), List.of());

        assertThatThrownBy(() -> new Phase.Closed(decision, Progress.NONE, null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
