package org.treerename.producer;

import org.treerename.request.Outcome;

/**
 * Thrown if the rename ended without a commit: the rename was rejected, failed or cancelled. No document has moved, and
 * no document will move.
 */
public final class NotCommittedException extends RuntimeException {

    private final transient PublishedOutcome published;

    NotCommittedException(PublishedOutcome published) {
        super(text(published.outcome()));
        this.published = published;
    }

    private static String text(Outcome outcome) {
        return "request " + outcome.requestId() + " ended as "
                + outcome.status().published() + " without a commit: " + outcome.message();
    }

    /** Returns the outcome of the rename. */
    public PublishedOutcome published() {
        return published;
    }
}
