package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.rename.Predecessors.Standing;
import org.treerename.rename.UnmetDependency;
import org.treerename.worker.DependencyCheck.Decision;
import org.treerename.worker.DependencyCheck.Patience;

final class DependencyCheckTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Patience PATIENCE = new Patience(TIMEOUT, Duration.ofMinutes(2));
    private static final Decision GO = new Decision.Go();
    private static final Decision LATER = new Decision.Later();

    private final DependencyCheck awaiting = new DependencyCheck("r3", List.of("r1", "r2"));

    private Decision looked(Standing first, Standing second, Duration at) {
        Map<String, Standing> standings = new HashMap<>(Map.of("r1", first, "r2", second, "r3", Standing.MISSING));
        standings.keySet().retainAll(awaiting.asks());
        return awaiting.looked(standings, at.toNanos(), PATIENCE);
    }

    @Test
    void itBeginsWhenAllHaveEndedInWhateverOrder() {
        assertThat(looked(Standing.OPEN, Standing.ENDED, Duration.ZERO)).isEqualTo(LATER);
        assertThat(awaiting.asks()).containsExactly("r1", "r3");
        assertThat(looked(Standing.ENDED, Standing.MISSING, Duration.ofSeconds(1)))
                .isEqualTo(GO);
    }

    @Test
    void oneOfWhichThereIsNoEntryIsMissingAfterTheTimeoutAndNotBefore() {
        assertThat(looked(Standing.ENDED, Standing.MISSING, Duration.ofHours(5)))
                .isEqualTo(LATER);
        assertThat(looked(Standing.ENDED, Standing.MISSING, Duration.ofHours(5).plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(looked(Standing.ENDED, Standing.MISSING, Duration.ofHours(5).plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
    }

    @Test
    void oneOfWhichThereIsAnEntryIsWaitedForAsLongAsItTakes() {
        assertThat(looked(Standing.MISSING, Standing.OPEN, Duration.ZERO)).isEqualTo(LATER);
        assertThat(looked(Standing.OPEN, Standing.MISSING, Duration.ofMinutes(1)))
                .isEqualTo(LATER);
        assertThat(looked(Standing.OPEN, Standing.OPEN, Duration.ofDays(9))).isEqualTo(LATER);
    }

    @Test
    void oneThatWasGivenBackIsWaitedForAsLongAsForAFirstEntry() {
        Duration begun = Duration.ofHours(5);
        assertThat(looked(Standing.ENDED, Standing.GIVEN_BACK, begun)).isEqualTo(LATER);
        assertThat(looked(Standing.ENDED, Standing.GIVEN_BACK, begun.plus(TIMEOUT.minusNanos(1))))
                .isEqualTo(LATER);
        assertThat(looked(Standing.ENDED, Standing.GIVEN_BACK, begun.plus(TIMEOUT)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.givenBack("r2")));
    }

    @Test
    void theWaitBeginsAnewForOneThatIsGivenBackOnceMore() {
        looked(Standing.ENDED, Standing.GIVEN_BACK, Duration.ZERO);
        looked(Standing.ENDED, Standing.OPEN, TIMEOUT.dividedBy(2));
        assertThat(looked(Standing.ENDED, Standing.GIVEN_BACK, TIMEOUT)).isEqualTo(LATER);
        assertThat(looked(
                        Standing.ENDED,
                        Standing.GIVEN_BACK,
                        TIMEOUT.multipliedBy(3).dividedBy(2)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.givenBack("r2")));
    }

    @Test
    void oneThatIsThereAfterAllIsNotMissingAgain() {
        looked(Standing.ENDED, Standing.MISSING, Duration.ZERO);
        assertThat(looked(Standing.ENDED, Standing.MISSING, TIMEOUT))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r2")));
        awaiting.seen("r2");
        assertThat(looked(Standing.ENDED, Standing.MISSING, TIMEOUT.multipliedBy(2)))
                .isEqualTo(LATER);
    }

    @Test
    void timeInWhichTheJournalGivesNoAnswerDoesNotCount() {
        looked(Standing.MISSING, Standing.MISSING, Duration.ZERO);
        awaiting.unanswered();
        assertThat(looked(Standing.MISSING, Standing.MISSING, TIMEOUT.multipliedBy(3)))
                .isEqualTo(LATER);
        assertThat(looked(Standing.MISSING, Standing.MISSING, TIMEOUT.multipliedBy(4)))
                .isEqualTo(new Decision.Blocked(UnmetDependency.unknown("r1")));
    }

    @Test
    void whatHasEndedItselfWaitsForNobody() {
        assertThat(awaiting.looked(
                        Map.of("r1", Standing.MISSING, "r2", Standing.OPEN, "r3", Standing.ENDED), 0, PATIENCE))
                .isEqualTo(GO);
        assertThat(awaiting.looked(
                        Map.of("r1", Standing.MISSING, "r2", Standing.OPEN, "r3", Standing.OPEN), 0, PATIENCE))
                .isEqualTo(LATER);
    }
}
