package org.treerename.request;

import java.util.Arrays;
import java.util.Locale;

/**
 * The reason why a rename did not complete, or the remark about a completed rename. If several reasons apply, the
 * outcome contains the reason that is declared first.
 */
public enum Reason {
    INVALID_REQUEST,
    UNKNOWN_NAMESPACE,
    INVALID_PATH,
    /** Rejected: a janitor may have deleted the entry of an earlier delivery of the request. */
    EXPIRED,
    /** Rejected: the journal had no entry of a predecessor when the waiting time of the request ended. */
    UNKNOWN_PREDECESSOR,
    INTO_ITSELF,
    SOURCE_NOT_FOUND,
    ANCESTOR_IS_A_FILE,
    DESTINATION_PARENT_NOT_FOUND,
    DESTINATION_EXISTS,
    IS_A_DIRECTORY,
    NOT_A_DIRECTORY,
    DESTINATION_NOT_EMPTY,
    /**
     * Rejected: a document at the source, or a document to be replaced, has a newer version than the request.
     * Completed: some documents were not moved, because they have a newer version than the request.
     */
    OLDER_VERSION,
    /** Rejected: a document at or below the source cannot be moved, for example because it has several paths. */
    NOT_MOVABLE,
    /** Failed: the rename waited too long for locks of other requests, or for a request that must end before it. */
    LOCKED,
    /** Failed: Elasticsearch refuses to read the tree, for example because the index does not exist any more. */
    TREE_REFUSED,
    /** Failed: every try to process the request failed unexpectedly. */
    KEPT_FAILING,
    /** Failed: the request was released for a retry, and the log does not contain it any more. */
    NOT_DELIVERED_AGAIN,
    /** Failed: the process of a direct rename ended before it decided the rename. */
    PROCESS_ENDED,
    /**
     * Completed, but other programs kept creating documents below the source, and the rename may not have moved some of
     * them. Or an index with documents below the source joined the tree after the commit.
     */
    MAY_HAVE_LEFT,
    /** Abandoned: the rename was parked, because one of its documents could not be moved. */
    PARKED,
    /** A reason that this version does not know. {@link Outcome#publishedReason} returns its name. */
    OTHER;

    /** Returns whether a repeated request would fail for the same reason, until an operator corrects the cause. */
    public boolean isRepeatedByItself() {
        return this == TREE_REFUSED || this == KEPT_FAILING;
    }

    /** Returns the name that is published and stored, in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the reason that is published under this name; {@link #OTHER} if this version does not know the name. */
    public static Reason ofPublished(String published) {
        return Arrays.stream(values())
                .filter(known -> known.published().equals(published))
                .findFirst()
                .orElse(OTHER);
    }
}
