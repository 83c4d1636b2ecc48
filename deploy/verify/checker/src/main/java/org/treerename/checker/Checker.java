package org.treerename.checker;

import java.util.List;
import org.treerename.runtime.Durations;

/**
 * Checks the ten points that must hold for a real or simulated run. The result depends only on the run.
 * <ol>
 *   <li>No document is lost, duplicated, or changed in any field except its path fields. A document keeps its sequence
 *       number if no rename has moved it, and no writer without locks has written it: {@link Contents}.
 *   <li>Two documents that were at different paths do not end at the same path. If directories are documents, the
 *       parent of every document exists: {@link Paths}.
 *   <li>At the end of the run every rename has moved all of its documents or none: {@link Placement}.
 *   <li>Document writes of a rename take effect only in the interval from the commit to the end of the rename. If the
 *       lock sets of two renames conflict, the intervals of these renames do not overlap: {@link Intervals}.
 *   <li>A request takes effect at most once, even if several records have its id. A request has one outcome; all
 *       records of this outcome contain the same bytes: {@link Answers}.
 *   <li>The sequence numbers of the decisions define a serial order. Each outcome and each reason for a rejection is
 *       true at its place in this order ({@link Replay}). The order agrees with real time and with the log ({@link
 *       Agreement}). A replay of the renames in this order results in the tree at the end of the run ({@link
 *       Placement}).
 *   <li>At the end of the run there is no hold, no claim, no open entry and no open point in time: {@link Rest}, which
 *       lists the exceptions.
 *   <li>Every action with a time limit ended within the limit: {@link Run.Bound}.
 *   <li>No document write of a fenced process takes effect. Exception: a write of a rename in progress, because the new
 *       owner of the rename makes the same write. {@link Intervals} checks this rule if the history is known. Without a
 *       history, only the checks of the other points can find a write of a fenced process.
 *   <li>A view shows all effects of the renames up to one of the commits, and no effect of a later commit: {@link
 *       Views}.
 * </ol>
 *
 * <p>{@link SerialOrder} searches for a serial order without the sequence numbers of the decisions.
 */
public final class Checker {

    private Checker() {}

    /**
     * Returns the violations of the run, ordered by point. For each point the result contains the first violations and
     * the number of further violations.
     */
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
                        8,
                        bound.what() + " took " + Durations.text(bound.took()) + ", but may take "
                                + Durations.text(bound.atMost()) + " at most");
            }
        }
        return findings.reported();
    }
}
