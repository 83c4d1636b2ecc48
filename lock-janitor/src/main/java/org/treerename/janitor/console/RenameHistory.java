package org.treerename.janitor.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.treerename.process.ProcessState;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.State;

/** What happened to a rename that another process carries, or has ended, than the one that committed it, in two or three sentences. */
final class RenameHistory {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private RenameHistory() {}

    /** Whether there is one. */
    static boolean isOf(JournalEntry entry) {
        return entry.decided()
                .filter(decision ->
                        !decision.committedBy().equals(entry.ownership().processId()))
                .isPresent();
    }

    /**
     * Tells it.
     *
     * @param committer what the process is that committed it; empty where nobody knows any more
     */
    static String of(JournalEntry entry, Optional<ProcessState> committer) {
        Decision decision = entry.decided()
                .orElseThrow(() -> new IllegalArgumentException(entry.requestId() + " was never decided"));
        return "%s committed it at %s. %s, and %s took it over (epoch %d). %s"
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
                    case LIVE -> "That process is live, but carries it no longer";
                    case FENCED -> "That process was fenced";
                    case STOPPED -> "That process stopped in good order";
                })
                .orElse("That process ended, and its document is gone");
    }

    private static String since(JournalEntry entry, Decision decision) {
        String documents = String.format(
                Locale.ROOT,
                "%,d of %,d documents",
                entry.progress().moved(),
                entry.progress().expected());
        if (entry.state() == State.PARKED) {
            return "It is parked after " + documents + ": " + entry.parking() + ".";
        }
        return entry.ended()
                .map(ending -> "It ended at %s, %s after the commit; %s are known to have moved."
                        .formatted(
                                moment(ending.finishedAt()),
                                seconds(Duration.between(decision.committedAt(), ending.finishedAt())),
                                documents))
                .orElse("It is rolled forward: " + documents + " are known to have moved.");
    }

    private static String moment(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String seconds(Duration length) {
        return String.format(Locale.ROOT, "%.1f s", length.toMillis() / MILLIS_PER_SECOND);
    }
}
