package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.journal.UnmetDependency;
import org.treerename.worker.DependencyCheck.Decision;
import org.treerename.worker.DependencyCheck.Patience;
import org.treerename.worker.Predecessors.Standing;

final class DependencyCheckTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Patience PATIENCE = new Patience(TIMEOUT, Duration.ofMinutes(2));
    private static final Decision GO = new Decision.Go();
    private static final Decision LATER = new Decision.Later();

    private final DependencyCheck check = new DependencyCheck("r3", List.of("r1", "r2"));

    private Decision decide(Standing first, Standing second, Duration at) {
        Map<String, Standing> standings = new HashMap<>(Map.of("r1", first, "r2", second, "r3", Standing.MISSING));
        standings.keySet().retainAll(check.asks());
        return check.looked(standings, at.toNanos(), PATIENCE);
    }

    @Test
    void begins_when_all_predecessors_have_ended_in_any_order() {
        assertThat(decide(Standing.OPEN, Standing.ENDED, Duration.ZERO)).isEqualTo(LATER);
        assertThat(check.asks()).containsExactly("r1", "r3");
        assertThat(decide(Standing.ENDED, Standing.MISSING, Duration.ofSeconds(1)))
                .isEqualTo(GO);
    }

    @Test
    void a_predecessor_without_an_entry_is_missing_after_the_timeout_and_not_before() {
        assertThat(decide(Standing.ENDED, Standing.MISSING, Duration.ofHours(5)))
                .isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.MISSING, Duration.ofHours(5).plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.MISSING, Duration.ofHours(5).plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
    }

    @Test
    void waits_without_a_limit_for_a_predecessor_with_an_entry() {
        assertThat(decide(Standing.MISSING, Standing.OPEN, Duration.ZERO)).isEqualTo(LATER);
        assertThat(decide(Standing.OPEN, Standing.MISSING, Duration.ofMinutes(1)))
                .isEqualTo(LATER);
        assertThat(decide(Standing.OPEN, Standing.OPEN, Duration.ofDays(9))).isEqualTo(LATER);
    }

    @Test
    void waits_for_a_released_predecessor_as_long_as_for_an_unknown_one() {
        Duration begun = Duration.ofHours(5);
        assertThat(decide(Standing.ENDED, Standing.GIVEN_BACK, begun)).isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.GIVEN_BACK, begun.plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.GIVEN_BACK, begun.plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.givenBack("r2")));
    }

    @Test
    void restarts_the_wait_for_a_predecessor_that_is_released_again() {
        decide(Standing.ENDED, Standing.GIVEN_BACK, Duration.ZERO);
        decide(Standing.ENDED, Standing.OPEN, TIMEOUT.dividedBy(2));
        assertThat(decide(Standing.ENDED, Standing.GIVEN_BACK, TIMEOUT)).isEqualTo(LATER);
        assertThat(decide(
                        Standing.ENDED,
                        Standing.GIVEN_BACK,
                        TIMEOUT.multipliedBy(2).minusNanos(1)))
                .isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.GIVEN_BACK, TIMEOUT.multipliedBy(2)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.givenBack("r2")));
    }

    @Test
    void counts_the_time_of_each_parked_predecessor_alone() {
        Duration almost = PATIENCE.parked().minusSeconds(1);
        decide(Standing.PARKED, Standing.OPEN, Duration.ZERO);
        assertThat(decide(Standing.PARKED, Standing.OPEN, almost)).isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.PARKED, PATIENCE.parked())).isEqualTo(LATER);
        assertThat(decide(
                        Standing.ENDED,
                        Standing.PARKED,
                        PATIENCE.parked().multipliedBy(2).minusNanos(1)))
                .isEqualTo(LATER);
        assertThat(decide(Standing.ENDED, Standing.PARKED, PATIENCE.parked().multipliedBy(2)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.parked("r2")));
    }

    @Test
    void a_predecessor_that_appears_late_is_not_missing_again() {
        decide(Standing.ENDED, Standing.MISSING, Duration.ZERO);
        assertThat(decide(Standing.ENDED, Standing.MISSING, TIMEOUT))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
        check.seen("r2");
        assertThat(decide(Standing.ENDED, Standing.MISSING, TIMEOUT.multipliedBy(2)))
                .isEqualTo(LATER);
    }

    @Test
    void does_not_count_time_in_which_the_journal_does_not_answer() {
        decide(Standing.MISSING, Standing.MISSING, Duration.ZERO);
        check.unanswered();
        assertThat(decide(Standing.MISSING, Standing.MISSING, TIMEOUT.multipliedBy(3)))
                .isEqualTo(LATER);
        assertThat(decide(Standing.MISSING, Standing.MISSING, TIMEOUT.multipliedBy(4)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r1")));
    }

    @Test
    void a_request_that_has_ended_itself_waits_for_no_predecessor() {
        assertThat(check.looked(Map.of("r1", Standing.MISSING, "r2", Standing.OPEN, "r3", Standing.ENDED), 0, PATIENCE))
                .isEqualTo(GO);
        assertThat(check.looked(Map.of("r1", Standing.MISSING, "r2", Standing.OPEN, "r3", Standing.OPEN), 0, PATIENCE))
                .isEqualTo(LATER);
    }
}
