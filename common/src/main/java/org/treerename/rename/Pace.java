package org.treerename.rename;

import java.time.Duration;
import java.util.List;
import org.treerename.path.Namespace;
import org.treerename.rename.JournalEntry.Ending;

/**
 * How fast documents move.
 *
 * @param renames how many it was measured on; 0 where it was not
 */
public record Pace(double documentsPerSecond, Basis basis, int renames) {

    /** Where it is known from. */
    public enum Basis {
        MEASURED,
        ASSUMED,
        /** The namespace's documents move no faster, whatever else was measured. */
        LIMITED
    }

    /** A rename of fewer documents takes as long for everything else as for them. */
    static final long ENOUGH = 1_000;

    /** On how many it is measured at most. */
    static final int RECENT = 20;

    /** What is told where nothing was measured: slow for small documents on an idle cluster. */
    static final double ASSUMED = 2_000;

    /** As in the latest renames of a namespace, and no faster than it may be. */
    static Pace of(Namespace namespace, ClosedRenames closed) {
        Pace measured = of(closed.latest(namespace.name(), ENOUGH, RECENT));
        int limit = namespace.rules().documentsPerSecond();
        return limit > 0 && limit < measured.documentsPerSecond() ? new Pace(limit, Basis.LIMITED, 0) : measured;
    }

    /**
     * The median, of what was to be moved at the commit, from then to the end. One that was rolled forward has waited for the
     * death of a process.
     */
    private static Pace of(List<JournalEntry> entries) {
        double[] rates = entries.stream()
                .filter(entry -> !entry.isRolledForward())
                .flatMapToDouble(entry -> entry.decided().stream()
                        .flatMapToDouble(decided -> entry.ended().stream()
                                .map(Ending::finishedAt)
                                .mapToDouble(end -> entry.progress().expected()
                                        / seconds(Duration.between(decided.committedAt(), end)))))
                .sorted()
                .toArray();
        return rates.length == 0
                ? new Pace(ASSUMED, Basis.ASSUMED, 0)
                : new Pace(rates[rates.length / 2], Basis.MEASURED, rates.length);
    }

    /** At least a millisecond, whatever the clocks of two processes say. */
    private static double seconds(Duration duration) {
        return Math.max(1, duration.toMillis()) / 1_000.0;
    }

    /** How long so many documents take. */
    public Duration of(long documents) {
        return Duration.ofMillis(Math.round(documents * 1_000 / documentsPerSecond));
    }
}
