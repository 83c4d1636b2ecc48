package org.treerename.simulation;

import java.time.Duration;
import org.treerename.namespace.Granularity;
import org.treerename.process.Lease;
import org.treerename.simulation.schedule.Chance;
import org.treerename.worker.ConsumerLimits;

/** The lease, the timeouts and the limits of the services of one run. Most values are random. */
record Settings(
        Lease lease,
        Duration requestTimeout,
        Duration lockWait,
        int pageSize,
        int maxPasses,
        Duration grace,
        Granularity granularity,
        Duration afterTimeout,
        int maxTries,
        ConsumerLimits window,
        Duration stuckAfter,
        Duration retention) {

    /** The maximum pause of a rename between two requests to Elasticsearch. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);

    /** A short retention, which is one second longer than the maximum delay of a request to Elasticsearch. */
    private static final Duration SHORT = Faults.LATEST.plusSeconds(1);

    private static final long MOST_WRONG_MILLIS = 5_000;

    /** With an error of a second, an entry could expire while a late request of its rename is still in transit. */
    private static final long MOST_WRONG_MILLIS_WHERE_ENTRIES_EXPIRE = 500;

    private static final Duration LONG = Duration.ofDays(1);

    private static final double GLOBAL = 0.2;
    private static final double DOCUMENT = 0.2;

    /** @param expiring the share of runs in which journal entries expire */
    static Settings drawn(Chance chance, double expiring) {
        Duration requestTimeout = Duration.ofMillis(chance.between(700, 2_000));
        int concurrency = 1 + chance.below(6);
        return new Settings(
                new Lease(Duration.ofSeconds(2)),
                requestTimeout,
                Duration.ofMillis(chance.happens(0.5) ? 400 : 20_000),
                2 + chance.below(4),
                2 + chance.below(9),
                Duration.ofMillis(chance.between(50, 1_000)),
                granularity(chance.share()),
                Duration.ofMillis(chance.between(1_000, 10_000)),
                2 + chance.below(4),
                new ConsumerLimits(concurrency, concurrency + chance.below(6)),
                requestTimeout.multipliedBy(2).plus(LONGEST_PAUSE),
                chance.happens(expiring) ? SHORT.plusSeconds(chance.below(3)) : LONG);
    }

    /** Returns whether journal entries expire in this run. */
    boolean areExpiring() {
        return retention.compareTo(LONG) < 0;
    }

    /** Returns the maximum error of the wall clock of a process at its start. */
    long mostWrongMillis() {
        return areExpiring() ? MOST_WRONG_MILLIS_WHERE_ENTRIES_EXPIRE : MOST_WRONG_MILLIS;
    }

    private static Granularity granularity(double share) {
        if (share < GLOBAL) {
            return Granularity.GLOBAL;
        }
        return share < GLOBAL + DOCUMENT ? Granularity.DOCUMENT : Granularity.TREE;
    }
}
