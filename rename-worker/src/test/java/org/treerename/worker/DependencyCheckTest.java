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
import org.treerename.worker.Predecessors.Progress;

final class DependencyCheckTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Patience PATIENCE = new Patience(TIMEOUT, Duration.ofMinutes(2));
    private static final Decision GO = new Decision.Go();
    private static final Decision LATER = new Decision.Later();

    private final DependencyCheck check = new DependencyCheck("r3", List.of("r1", "r2"));

    private Decision decide(Progress first, Progress second, Duration at) {
        Map<String, Progress> progress = new HashMap<>(Map.of("r1", first, "r2", second, "r3", Progress.MISSING));
        progress.keySet().retainAll(check.asks());
        return check.looked(progress, at.toNanos(), PATIENCE);
    }

    @Test
    void begins_when_all_predecessors_have_ended_in_any_order() {
        assertThat(decide(Progress.OPEN, Progress.ENDED, Duration.ZERO)).isEqualTo(LATER);
        assertThat(check.asks()).containsExactly("r1", "r3");
        assertThat(decide(Progress.ENDED, Progress.MISSING, Duration.ofSeconds(1)))
                .isEqualTo(GO);
    }

    @Test
    void a_predecessor_without_an_entry_is_missing_after_the_timeout_and_not_before() {
        assertThat(decide(Progress.ENDED, Progress.MISSING, Duration.ofHours(5)))
                .isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.MISSING, Duration.ofHours(5).plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.MISSING, Duration.ofHours(5).plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
    }

    @Test
    void waits_without_a_limit_for_a_predecessor_with_an_entry() {
        assertThat(decide(Progress.MISSING, Progress.OPEN, Duration.ZERO)).isEqualTo(LATER);
        assertThat(decide(Progress.OPEN, Progress.MISSING, Duration.ofMinutes(1)))
                .isEqualTo(LATER);
        assertThat(decide(Progress.OPEN, Progress.OPEN, Duration.ofDays(9))).isEqualTo(LATER);
    }

    @Test
    void waits_for_a_released_predecessor_as_long_as_for_an_unknown_one() {
        Duration begun = Duration.ofHours(5);
        assertThat(decide(Progress.ENDED, Progress.RELEASED, begun)).isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.RELEASED, begun.plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.RELEASED, begun.plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.released("r2")));
    }

    @Test
    void restarts_the_wait_for_a_predecessor_that_is_released_again() {
        decide(Progress.ENDED, Progress.RELEASED, Duration.ZERO);
        decide(Progress.ENDED, Progress.OPEN, TIMEOUT.dividedBy(2));
        assertThat(decide(Progress.ENDED, Progress.RELEASED, TIMEOUT)).isEqualTo(LATER);
        assertThat(decide(
                        Progress.ENDED,
                        Progress.RELEASED,
                        TIMEOUT.multipliedBy(2).minusNanos(1)))
                .isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.RELEASED, TIMEOUT.multipliedBy(2)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.released("r2")));
    }

    @Test
    void counts_the_time_of_each_parked_predecessor_alone() {
        Duration almost = PATIENCE.parked().minusSeconds(1);
        decide(Progress.PARKED, Progress.OPEN, Duration.ZERO);
        assertThat(decide(Progress.PARKED, Progress.OPEN, almost)).isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.PARKED, PATIENCE.parked())).isEqualTo(LATER);
        assertThat(decide(
                        Progress.ENDED,
                        Progress.PARKED,
                        PATIENCE.parked().multipliedBy(2).minusNanos(1)))
                .isEqualTo(LATER);
        assertThat(decide(Progress.ENDED, Progress.PARKED, PATIENCE.parked().multipliedBy(2)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.parked("r2")));
    }

    @Test
    void a_predecessor_that_appears_late_is_not_missing_again() {
        decide(Progress.ENDED, Progress.MISSING, Duration.ZERO);
        assertThat(decide(Progress.ENDED, Progress.MISSING, TIMEOUT))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
        check.seen("r2");
        assertThat(decide(Progress.ENDED, Progress.MISSING, TIMEOUT.multipliedBy(2)))
                .isEqualTo(LATER);
    }

    @Test
    void does_not_count_time_in_which_the_journal_does_not_answer() {
        decide(Progress.MISSING, Progress.MISSING, Duration.ZERO);
        check.unanswered();
        assertThat(decide(Progress.MISSING, Progress.MISSING, TIMEOUT.multipliedBy(3)))
                .isEqualTo(LATER);
        assertThat(decide(Progress.MISSING, Progress.MISSING, TIMEOUT.multipliedBy(4)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r1")));
    }

    @Test
    void a_request_that_has_ended_itself_waits_for_no_predecessor() {
        assertThat(check.looked(Map.of("r1", Progress.MISSING, "r2", Progress.OPEN, "r3", Progress.ENDED), 0, PATIENCE))
                .isEqualTo(GO);
        assertThat(check.looked(Map.of("r1", Progress.MISSING, "r2", Progress.OPEN, "r3", Progress.OPEN), 0, PATIENCE))
                .isEqualTo(LATER);
    }
}
