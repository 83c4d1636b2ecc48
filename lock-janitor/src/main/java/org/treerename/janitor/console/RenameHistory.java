package org.treerename.janitor.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.treerename.journal.Decision;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.process.ProcessState;

/** Describes in a few sentences a rename whose owner is not the process that committed the rename. */
final class RenameHistory {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private RenameHistory() {}

    /** Returns whether the rename was taken over after its commit. */
    static boolean isOf(JournalEntry entry) {
        return entry.decided()
                .filter(decision ->
                        !decision.committedBy().equals(entry.ownership().processId()))
                .isPresent();
    }

    /**
     * Returns the description of a rename.
     *
     * @param committer the state of the process that committed the rename; empty if this process has no process
     *     document any more
     */
    static String of(JournalEntry entry, Optional<ProcessState> committer) {
        Decision decision = entry.decided()
                .orElseThrow(() -> new IllegalArgumentException(
                        entry.requestId() + " is not decided, so it has no take-over after the commit"));
        return "%s committed the rename at %s. %s, and %s took over the rename (epoch %d). %s"
                .formatted(
                        decision.committedBy(),
                        moment(decision.committedAt()),
                        ended(committer),
                        entry.ownership().processId(),
                        entry.ownership().epoch(),
                        since(entry, decision));
    }

    private static String ended(Optional<ProcessState> committer) {
        return committer
                .map(state -> switch (state) {
                    case LIVE -> "That process is live, but no longer owns the rename";
                    case FENCED -> "That process was fenced";
                    case STOPPED -> "That process stopped normally";
                })
                .orElse("That process has ended and has no process document any more");
    }

    private static String since(JournalEntry entry, Decision decision) {
        String documents = String.format(
                Locale.ROOT,
                "%,d of %,d documents",
                entry.progress().moved(),
                entry.progress().expected());
        if (entry.state() == State.PARKED) {
            return "The rename is parked after " + documents + ": " + entry.parking() + ".";
        }
        return entry.ended()
                .map(ending -> "The rename ended at %s, %s after the commit; %s are known to have moved."
                        .formatted(
                                moment(ending.finishedAt()),
                                seconds(Duration.between(decision.committedAt(), ending.finishedAt())),
                                documents))
                .orElse("The rename is being rolled forward: " + documents + " are known to have moved.");
    }

    private static String moment(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String seconds(Duration length) {
        return String.format(Locale.ROOT, "%.1f s", length.toMillis() / MILLIS_PER_SECOND);
    }
}
