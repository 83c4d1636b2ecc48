package org.treerename.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionTimeTest {

    private static final Instant REQUESTED = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant COMMITTED = REQUESTED.plusMillis(120);

    private static Outcome outcome(@Nullable Instant committedAt) {
        return new Outcome(
                "r1",
                Status.COMPLETED,
                null,
                "",
                1,
                0,
                "worker-1",
                false,
                null,
                REQUESTED,
                committedAt,
                COMMITTED,
                null);
    }

    @Test
    void is_the_time_from_the_request_to_the_commit() {
        assertThat(new DecisionTime(REQUESTED, COMMITTED).taken()).isEqualTo(Duration.ofMillis(120));
    }

    @Test
    void is_zero_if_the_commit_is_dated_before_the_request() {
        assertThat(new DecisionTime(COMMITTED, REQUESTED).taken()).isEqualTo(Duration.ZERO);
    }

    @Test
    void an_outcome_has_a_decision_time_only_if_its_rename_was_committed() {
        assertThat(DecisionTime.of(outcome(COMMITTED))).contains(new DecisionTime(REQUESTED, COMMITTED));
        assertThat(DecisionTime.of(outcome(null))).isEmpty();
    }
}
