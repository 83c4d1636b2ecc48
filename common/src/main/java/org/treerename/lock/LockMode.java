package org.treerename.lock;

import java.util.Locale;

/** How a lock is held: shared by many, or by one alone. */
public enum LockMode {
    SHARED,
    EXCLUSIVE;

    public boolean isCompatibleWith(LockMode other) {
        return this == SHARED && other == SHARED;
    }

    /** Returns whether a hold of this mode keeps out all that one of the other mode does. */
    public boolean isAtLeast(LockMode other) {
        return this == EXCLUSIVE || other == SHARED;
    }

    /** As it is stored: {@code shared} or {@code exclusive}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
