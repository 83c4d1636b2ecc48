package org.treerename.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    private static final long SEEDS = Long.getLong("simulation.seeds", 1_000);
    private static final long SEEDS_THAT_SHOW_SHARES = 1_000;
    private static final double LEAST_SHARE = 0.01;

    /** These happenings occur in about one percent of the runs. */
    private static final Set<Happening> RARE = EnumSet.of(
            Happening.ABANDONED,
            Happening.PARKED_TO_DONE,
            Happening.FORGOTTEN_MOVE,
            Happening.INDEX_LEFT_ITS_ALIAS,
            Happening.UNFIT_INDEX,
            Happening.UNDO_OF_ANOTHER_DOCUMENT);

    private static final double LEAST_SHARE_OF_RARE = 0.002;

    @Test
    void no_seed_has_a_violation_and_every_event_occurs_in_one_percent_of_the_runs() {
        Figures figures = Campaign.run(1, SEEDS, Wiring.PLAIN, soFar -> {});

        assertThat(figures.failure().map(SimulationTest::described)).isEmpty();
        List<String> rare = new ArrayList<>();
        for (Happening happening : Happening.values()) {
            double least = RARE.contains(happening) ? LEAST_SHARE_OF_RARE : LEAST_SHARE;
            if (SEEDS >= SEEDS_THAT_SHOW_SHARES && figures.share(happening) < least) {
                rare.add(happening + " in " + figures.share(happening) + " of the runs");
            }
        }
        assertThat(rare).isEmpty();
        assertThat(figures.runs()).isEqualTo(SEEDS);
    }

    /** Returns the seed, the violations and the history of a run. */
    private static String described(Simulation.Result failure) {
        Simulation.Result again = Simulation.run(failure.seed(), Wiring.PLAIN, true);
        return "seed " + failure.seed() + ": " + failure.violations() + System.lineSeparator()
                + String.join(System.lineSeparator(), again.history());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 17, 4711, 1_000_000_007})
    void a_seed_gives_the_same_history_each_time_with_and_without_a_recording(long seed) {
        Simulation.Result first = Simulation.run(seed, Wiring.PLAIN, true);
        Simulation.Result second = Simulation.run(seed, Wiring.PLAIN, true);
        Simulation.Result unrecorded = Simulation.run(seed, Wiring.PLAIN, false);

        assertThat(first.history()).isNotEmpty().isEqualTo(second.history());
        assertThat(unrecorded.history()).isEmpty();
        assertThat(unrecorded.fingerprint()).isEqualTo(first.fingerprint());
    }

    @Test
    void another_seed_gives_another_history() {
        assertThat(Simulation.run(1, Wiring.PLAIN, true).history())
                .isNotEqualTo(Simulation.run(2, Wiring.PLAIN, true).history());
    }
}
