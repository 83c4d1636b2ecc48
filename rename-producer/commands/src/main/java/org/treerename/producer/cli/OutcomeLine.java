package org.treerename.producer.cli;

import java.time.Duration;
import java.util.Locale;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.runtime.Printable;

/** Formats an outcome as one line for people. */
final class OutcomeLine {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private OutcomeLine() {}

    static String of(RenameRequest request, Outcome outcome, Duration taken) {
        return outcome.status() == Status.COMPLETED ? completed(request, outcome, taken) : notCompleted(outcome);
    }

    /** Returns the line for a rename that was rejected, failed or cancelled. */
    static String notCompleted(Outcome outcome) {
        return printable(outcome.publishedStatus()) + ": " + remark(outcome) + " (request "
                + printable(outcome.requestId()) + ")";
    }

    private static String completed(RenameRequest request, Outcome outcome, Duration taken) {
        if (request.source().equals(request.destination())) {
            return String.format(
                    Locale.ROOT,
                    "%s (request %s, %.1f s)",
                    printable(outcome.message()),
                    printable(outcome.requestId()),
                    taken.toMillis() / MILLIS_PER_SECOND);
        }
        return String.format(
                Locale.ROOT,
                "renamed %s to %s: %s%d %s moved%s (request %s, %.1f s)",
                printable(request.source()),
                printable(request.destination()),
                // a dead process may not have counted its last moves; otherwise, the check has counted the documents
                outcome.rolledForward() && outcome.reason() == Reason.MAY_HAVE_LEFT ? "at least " : "",
                outcome.moved(),
                outcome.moved() == 1 ? "document" : "documents",
                outcome.reason() == null ? "" : "; " + remark(outcome),
                printable(outcome.requestId()),
                taken.toMillis() / MILLIS_PER_SECOND);
    }

    private static String remark(Outcome outcome) {
        String reason = outcome.publishedReason();
        String message = printable(outcome.message());
        return reason == null ? message : printable(reason) + ": " + message;
    }

    /**
     * Escapes a text for the terminal. A path may contain any character, for example a line break or an escape
     * sequence.
     */
    static String printable(String text) {
        return Printable.of(text);
    }
}
