package org.treerename.request;

import java.util.Arrays;
import java.util.Locale;

/** The final status of a rename. */
public enum Status {
    COMPLETED,
    /** The request or the state of the tree does not allow the rename. Nothing was changed. */
    REJECTED,
    /** The rename could not begin. Nothing was changed, and the same request with another id may complete. */
    FAILED,
    /** The request was cancelled before the rename was decided. Nothing was changed. */
    CANCELLED,
    /** The rename was decided and parked, and an operator ended it. A part of the documents has moved, or none. */
    ABANDONED,
    /** A status that this version does not know. {@link Outcome#publishedStatus} returns its name. */
    OTHER;

    /** Returns the name that is published, in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the status that is published under this name; {@link #OTHER} if this version does not know the name. */
    public static Status ofPublished(String published) {
        return Arrays.stream(values())
                .filter(known -> known.published().equals(published))
                .findFirst()
                .orElse(OTHER);
    }
}
