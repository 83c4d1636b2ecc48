package org.treerename.simulation;

import java.time.Duration;
import org.treerename.simulation.schedule.Chance;

/**
 * What may go wrong in one run, and how often. Each run draws its own, and leaves most kinds out: where everything goes
 * wrong at once, little gets far enough to go wrong in an interesting way.
 *
 * @param lostRequest share of requests that never arrive
 * @param lostAnswer share of answers that never arrive
 * @param late share of requests that arrive after their sender has given up
 * @param twice share of requests that are executed twice
 * @param prefix share of requests of which only the first items are executed
 * @param turnedAway share of items that the server asks to come again with, or whose shard does not answer
 * @param slow share of requests that take long
 * @param stays share of the requests of a process that dies which arrive long after it
 * @param met share of the requests of a client that is cut off which meet the cut-off copy
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

    /** How long a late request may take. */
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
