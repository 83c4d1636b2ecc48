package org.treerename.process;

import java.util.Locale;

/** What is known of a process. Only {@code LIVE} may hold anything; the other two are final. */
public enum ProcessState {
    LIVE,
    FENCED,
    STOPPED;

    /** As it is stored: in lower case. */
    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ProcessState ofStored(String stored) {
        return valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
