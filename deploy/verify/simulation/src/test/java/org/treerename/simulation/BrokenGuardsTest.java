package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a run has a violation if one guard of the protocol is switched off.
 *
 * <p>{@link Without} and {@link WithoutOfReaders} contain a seed for each guard. Without the guard, the run with this
 * seed has a violation, so one run is enough. A change in the order of calls may require another seed. In this case,
 * the test searches for a new seed and prints it. The search may take several minutes.
 */
class BrokenGuardsTest {

    private static final long SEEDS_TO_SEARCH = 30_000;

    private static final long SEEDS_WITHOUT_THE_LEASE = Math.max(1, Long.getLong("simulation.seeds", 1_000) / 20);

    static Stream<Guard> guards() {
        return Stream.<Guard>concat(Arrays.stream(Without.values()), Arrays.stream(WithoutOfReaders.values()))
                .filter(guard -> guard != Without.LEASE_CHECK);
    }

    @ParameterizedTest(name = "without {0}")
    @MethodSource("guards")
    void a_run_without_one_guard_has_a_violation(Guard guard) {
        if (!Simulation.run(guard.seed(), guard, false).violations().isEmpty()) {
            return;
        }
        Figures search = Campaign.run(1, SEEDS_TO_SEARCH, guard, soFar -> {});

        assertThat(search.failure())
                .describedAs(
                        "a violation without %s at seed %d or at any from 1 to %d",
                        guard, guard.seed(), SEEDS_TO_SEARCH)
                .isPresent();
        search.failure()
                .ifPresent(failure -> System.out.printf(
                        "Seed %d has no violation without %s any more, but seed %d has: write it into %s.java.%n",
                        guard.seed(),
                        guard,
                        failure.seed(),
                        ((Enum<?>) guard).getDeclaringClass().getSimpleName()));
    }

    @Test
    void safety_does_not_depend_on_the_check_of_the_lease() {
        assertThat(Campaign.run(1, SEEDS_WITHOUT_THE_LEASE, Without.LEASE_CHECK, soFar -> {})
                        .failure()
                        .map(failure -> "seed " + failure.seed() + ": " + failure.violations()))
                .isEmpty();
    }
}
