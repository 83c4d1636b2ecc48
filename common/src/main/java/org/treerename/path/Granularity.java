package org.treerename.path;

import java.util.Locale;

/** What a rename locks. */
public enum Granularity {
    /** Source and destination. */
    TREE,
    /** The same, and each document below the source. */
    DOCUMENT,
    /** The whole namespace. */
    GLOBAL;

    /** As definitions say it: {@code tree}, {@code document} or {@code global}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
