package org.treerename.simulation;

import java.time.Duration;
import org.treerename.simulation.schedule.Chance;

/**
 * The probability of each kind of fault in one run. The probabilities are random, and many kinds have the probability 0
 * in a run. If all kinds occurred in every run, few requests would reach the late steps of a rename.
 *
 * @param lostRequest the share of requests that never arrive
 * @param lostAnswer the share of answers that never arrive
 * @param late the share of requests that arrive after their sender has stopped waiting
 * @param twice the share of requests that are executed twice
 * @param prefix the share of requests of which only the first items are executed
 * @param turnedAway the share of items that the server rejects, or whose shard does not answer
 * @param slow the share of requests that take long
 * @param stays the share of a dead process's requests that arrive long after its death
 * @param met the share of a cut-off client's requests that reach the cut-off copy
 */
record Faults(
        double lostRequest,
        double lostAnswer,
        double late,
        double twice,
        double prefix,
        double turnedAway,
        double slow,
        double stays,
        double met) {

    /** The maximum delay of a late request. */
    static final Duration LATEST = Duration.ofSeconds(7);

    static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Faults drawn(Chance chance) {
        return new Faults(
                drawn(chance, 0.03),
                drawn(chance, 0.03),
                drawn(chance, 0.03),
                drawn(chance, 0.08),
                drawn(chance, 0.05),
                drawn(chance, 0.045),
                drawn(chance, 0.1),
                drawn(chance, 1),
                chance.happens(0.5) ? 1 : 0.5);
    }

    private static double drawn(Chance chance, double most) {
        return chance.happens(0.6) ? most * chance.share() : 0;
    }
}
