package org.treerename.crash;

import org.treerename.store.Death;

/** Crash points at which a process of a unit test dies. */
public final class Dying {

    private Dying() {}

    /** Returns crash points. The process dies when this point is reached for the first time. */
    public static CrashPoints at(CrashPoint point) {
        return new CrashPoints(new CrashAt(point, 1), () -> {
            throw new Death();
        });
    }
}
