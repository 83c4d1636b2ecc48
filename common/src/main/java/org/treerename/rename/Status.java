package org.treerename.rename;

import java.util.Arrays;
import java.util.Locale;

/** How a rename ended. */
public enum Status {
    COMPLETED,
    /** Something about the request or the tree forbids it; nothing was changed. */
    REJECTED,
    /** It could not be begun; nothing was changed, and the same request under another id may complete. */
    FAILED,
    /** Somebody called it off before it was decided; nothing was changed. */
    CANCELLED;

    /** As it is published: in lower case. */
    public String published() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Status ofPublished(String published) {
        return Arrays.stream(values())
                .filter(known -> known.published().equals(published))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown status \"" + published + "\"; a later version may know it"));
    }
}
