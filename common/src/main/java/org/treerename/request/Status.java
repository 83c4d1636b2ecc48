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
    CANCELLED;

    /** Returns the name that is published, in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the status that is published under this name.
     *
     * @throws IllegalArgumentException if this version does not know the name
     */
    public static Status ofPublished(String published) {
        return Arrays.stream(values())
                .filter(known -> known.published().equals(published))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown status \"" + published + "\"; a later version may know it"));
    }
}
