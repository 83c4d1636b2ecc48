package org.treerename.namespace;

import java.util.Locale;

/** The extent of the locks that a rename acquires. */
public enum Granularity {
    /** Locks on the source and the destination. */
    TREE,
    /** Locks on the source, on the destination, and on each document below the source. */
    DOCUMENT,
    /** One lock on the whole namespace. */
    GLOBAL;

    /** Returns the value of {@code granularity} in a definition: {@code tree}, {@code document} or {@code global}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
