package org.treerename.lock;

import java.util.Locale;

/** The mode of a lock: many holds may share the lock, or one hold has the lock exclusively. */
public enum LockMode {
    SHARED,
    EXCLUSIVE;

    public boolean isCompatibleWith(LockMode other) {
        return this == SHARED && other == SHARED;
    }

    /** Returns whether a lock in this mode excludes every lock that a lock in the other mode excludes. */
    public boolean isAtLeast(LockMode other) {
        return this == EXCLUSIVE || other == SHARED;
    }

    /** Returns the stored form: {@code shared} or {@code exclusive}. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }
}
