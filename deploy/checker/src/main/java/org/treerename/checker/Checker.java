package org.treerename.checker;

import java.util.List;

/**
 * Whether a run kept what must hold. It is a pure function of the run, be it real or simulated.
 *
 * <ol>
 *   <li>No document is lost, duplicated, or changed in any field but its path fields; a document that no rename covers keeps
 *       its very sequence number: {@link Contents}.
 *   <li>No two documents that were at different paths end at the same path; where directories are documents, every
 *       document's parent exists: {@link Paths}.
 *   <li>After quiescence every rename is all or nothing: {@link Placement}.
 *   <li>Every effective document write happens between its rename's commit and its end, and these intervals do not overlap
 *       for renames whose lock sets conflict: {@link Intervals}.
 *   <li>A request id has its effect at most once, and one outcome, the same bytes however often it is delivered: {@link
 *       Answers}.
 *   <li>The decisions in the order of their sequence numbers are a serial order: each outcome and each reason of a rejection
 *       is true at its place in it ({@link Replay}), it agrees with real time and with the log ({@link Agreement}), and the
 *       replay gives the tree that was found ({@link Placement}).
 *   <li>After quiescence there is no hold, no claim, no open entry but parked ones, no open point in time: {@link Rest}.
 *   <li>What had to end in time did: {@link Run.Bound}.
 *   <li>A fenced process changes nothing any more but what its rename's owner would have changed alike: {@link Intervals},
 *       where the history is known; else only as far as what it has changed is found by the other points.
 *   <li>A view shows the tree as it is after one of the commits: {@link Views}.
 * </ol>
 *
 * {@link SerialOrder} searches for an order without trusting the numbers in the journal.
 */
public final class Checker {

    private Checker() {}

    /** What the run has violated, by the points; of each point the first few, and how many more. */
    public static List<Violation> check(Run run) {
        Findings findings = new Findings();
        Others others = Others.of(run);
        Replay replay = Replay.of(run, others, findings);
        new Contents(run, others, replay, findings).check();
        new Paths(run, others, findings).check();
        new Placement(run, others, replay, findings).check();
        new Intervals(run, findings).check();
        new Answers(run, findings).check();
        new Agreement(run, findings).check();
        new Rest(run, findings).check();
        new Views(run, findings).check();
        for (Run.Bound bound : run.bounds()) {
            if (bound.took().compareTo(bound.atMost()) > 0) {
                findings.add(
                        8, bound.what() + " took " + bound.took() + ", and may take " + bound.atMost() + " at most");
            }
        }
        return findings.told();
    }
}
