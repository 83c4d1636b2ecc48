package org.treerename.namespace;

import java.util.Locale;

/** The locks that a rename acquires. */
public enum Granularity {
    /** Source and destination. */
    TREE,
    /** Source and destination, and each document below the source. */
    DOCUMENT,
    /** The whole namespace. */
    GLOBAL;

    /** Returns the form in definitions: {@code tree}, {@code document} or {@code global}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
