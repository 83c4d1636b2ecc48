package org.treerename.crash;

import org.treerename.store.Death;

/** Crash points at which a process of a unit test dies. */
public final class Dying {

    private Dying() {}

    /** Returns points at the first of which the process dies. */
    public static CrashPoints at(CrashPoint point) {
        return new CrashPoints(new CrashAt(point, 1), () -> {
            throw new Death();
        });
    }
}
