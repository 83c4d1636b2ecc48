package org.treerename.crash;

import org.treerename.store.Death;

/** Crash points at which a process of a unit test dies. */
public final class Dying {

    private Dying() {}

    /** Returns crash points that end the process when it reaches this point for the first time. */
    public static CrashPoints at(CrashPoint point) {
        return new CrashPoints(new CrashAt(point, 1), () -> {
            throw new Death();
        });
    }
}
