package org.treerename.producer;

import org.treerename.rename.Outcome;

/** The rename ended without a commit: it was rejected, failed or cancelled. No document has moved, and none will. */
public final class NotCommittedException extends RuntimeException {

    private final transient PublishedOutcome published;

    NotCommittedException(PublishedOutcome published) {
        super(words(published.outcome()));
        this.published = published;
    }

    private static String words(Outcome outcome) {
        return "request " + outcome.requestId() + " ended as "
                + outcome.status().published() + " without a commit: " + outcome.message();
    }

    /** Returns how the rename ended. */
    public PublishedOutcome published() {
        return published;
    }
}
