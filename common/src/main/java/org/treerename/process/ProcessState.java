package org.treerename.process;

import java.util.Locale;

/** The state of a process. Only a {@code LIVE} process may hold locks and renames. The other two states are final. */
public enum ProcessState {
    LIVE,
    FENCED,
    STOPPED;

    /** Returns the stored form: the name in lower case. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ProcessState ofStored(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
