package org.treerename.producer.forecast;

import java.time.Duration;
import java.util.List;
import org.treerename.journal.ClosedRenames;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.namespace.Namespace;

/**
 * The speed at which a rename moves documents.
 *
 * @param renames the number of renames that were measured; 0 if the speed was not measured
 */
public record Pace(double documentsPerSecond, Basis basis, int renames) {

    /** The source of the speed. */
    public enum Basis {
        MEASURED,
        ASSUMED,
        /** The speed limit of the namespace. This limit is lower than the measured or assumed speed. */
        LIMITED
    }

    /**
     * The minimum number of documents of a measured rename. In a rename of fewer documents, the other steps take as
     * long as the moves.
     */
    static final long ENOUGH = 1_000;

    /** The maximum number of renames that are measured. */
    static final int RECENT = 20;

    /**
     * The assumed speed, in documents per second, if nothing was measured. For small documents on an idle cluster, this
     * speed is low.
     */
    static final double ASSUMED = 2_000;

    /**
     * Returns the speed of the latest renames of a namespace, or the speed limit of the namespace if this limit is
     * lower.
     */
    static Pace of(Namespace namespace, ClosedRenames closed) {
        Pace measured = of(closed.latest(namespace.name(), ENOUGH, RECENT));
        int limit = namespace.rules().documentsPerSecond();
        return limit > 0 && limit < measured.documentsPerSecond() ? new Pace(limit, Basis.LIMITED, 0) : measured;
    }

    /**
     * Returns the median of the documents per second between commit and end. Rolled-forward renames are left out,
     * because they waited until the death of a process was detected.
     */
    private static Pace of(List<JournalEntry> entries) {
        double[] rates = entries.stream()
                .filter(entry -> !entry.isRolledForward())
                .flatMapToDouble(entry -> entry.decided().stream()
                        .flatMapToDouble(decision -> entry.ended().stream()
                                .map(Ending::finishedAt)
                                .mapToDouble(end -> entry.progress().expected()
                                        / seconds(Duration.between(decision.committedAt(), end)))))
                .sorted()
                .toArray();
        return rates.length == 0
                ? new Pace(ASSUMED, Basis.ASSUMED, 0)
                : new Pace(rates[rates.length / 2], Basis.MEASURED, rates.length);
    }

    /** At least 0.001, because the clocks of two processes may differ. */
    private static double seconds(Duration duration) {
        return Math.max(1, duration.toMillis()) / 1_000.0;
    }

    /** Returns the time that the move of the given number of documents takes. */
    public Duration of(long documents) {
        return Duration.ofMillis(Math.round(documents * 1_000 / documentsPerSecond));
    }
}
