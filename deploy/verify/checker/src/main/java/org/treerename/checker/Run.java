package org.treerename.checker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.treerename.namespace.Namespace;

/**
 * The state after a run of renames in one namespace, and the known part of the history of the run. The state is read
 * when no process has work left. The servers are real or simulated.
 *
 * @param before the tree before the run
 * @param after the tree after the run
 * @param bounds the actions with a time limit
 * @param views the views that readers saw; empty if changes other than renames were made to the tree
 */
public record Run(
        TreeDump before,
        TreeDump after,
        Control control,
        Records records,
        History history,
        List<Bound> bounds,
        List<SeenView> views) {

    /**
     * The content of the control index, and the number of open points in time in Elasticsearch.
     *
     * @param journal the entries of the renames in the namespace, and the entries of invalid requests
     * @param openContexts the number of open points in time
     * @param openContextsOfTheDead the maximum number of points in time that killed processes may have left open
     */
    public record Control(
            JournalDump journal,
            LockDump locks,
            ProcessDump processes,
            long openContexts,
            long openContextsOfTheDead) {}

    /** The measured duration of an action, and the maximum duration. */
    public record Bound(String what, Duration took, Duration atMost) {}

    public Run {
        bounds = List.copyOf(bounds);
        views = List.copyOf(views);
        if (!before.namespace().equals(after.namespace())) {
            throw new IllegalArgumentException("expected the same namespace before and after the run, found "
                    + before.namespace() + " before and " + after.namespace() + " after");
        }
    }

    /** Returns the source and destination of a rename; empty if the request does not have two valid paths. */
    Optional<Way> way(JournalDump.Entry entry) {
        return Way.of(entry, namespace().notation());
    }

    public Namespace namespace() {
        return after.namespace();
    }
}
