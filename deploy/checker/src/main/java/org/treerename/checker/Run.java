package org.treerename.checker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.treerename.path.Namespace;

/**
 * What a run of renames in one namespace has left behind, after quiescence, and as much of its course as is known: of real
 * servers, or of simulated ones.
 *
 * @param before the tree before it
 * @param after the tree after it
 * @param bounds what had to be done in time
 * @param views that readers saw; only of a run in which renames alone changed the tree
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
     * What stands in the control index, and what Elasticsearch holds open.
     *
     * @param journal the entries of renames of the namespace, and of invalid requests
     * @param openContexts points in time that are open
     * @param openContextsOfTheDead how many of these a process that was killed may have left, which nobody can close
     */
    public record Control(
            JournalDump journal,
            LockDump locks,
            ProcessDump processes,
            long openContexts,
            long openContextsOfTheDead) {}

    /** Something that had to end in time. */
    public record Bound(String what, Duration took, Duration atMost) {}

    public Run {
        bounds = List.copyOf(bounds);
        views = List.copyOf(views);
        if (!before.namespace().equals(after.namespace())) {
            throw new IllegalArgumentException("a run is one of one namespace, found "
                    + before.namespace().name() + " before and "
                    + after.namespace().name() + " after");
        }
    }

    /** From where to where a rename leads; empty where the request names no two paths. */
    Optional<Way> way(JournalDump.Entry entry) {
        return Way.of(entry, namespace().notation());
    }

    public Namespace namespace() {
        return after.namespace();
    }
}
