package org.treerename.simulation;

import java.time.Duration;
import org.treerename.path.Granularity;
import org.treerename.process.Lease;
import org.treerename.simulation.schedule.Chance;

/** How the services of one run are set. */
record Settings(
        Lease lease,
        Duration requestTimeout,
        Duration lockWait,
        int pageSize,
        int maxPasses,
        Duration grace,
        Granularity granularity) {

    private static final double GLOBAL = 0.2;
    private static final double DOCUMENT = 0.2;

    static Settings drawn(Chance chance) {
        return new Settings(
                new Lease(Duration.ofSeconds(2)),
                Duration.ofMillis(chance.between(700, 2_000)),
                Duration.ofMillis(chance.happens(0.5) ? 400 : 20_000),
                2 + chance.below(4),
                2 + chance.below(9),
                Duration.ofMillis(chance.between(50, 1_000)),
                granularity(chance.share()));
    }

    private static Granularity granularity(double share) {
        if (share < GLOBAL) {
            return Granularity.GLOBAL;
        }
        return share < GLOBAL + DOCUMENT ? Granularity.DOCUMENT : Granularity.TREE;
    }
}
