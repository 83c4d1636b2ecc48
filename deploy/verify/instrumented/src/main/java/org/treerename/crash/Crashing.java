package org.treerename.crash;

import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;

/**
 * Decorates the stores of a service, so that calls to the stores reach the crash points. If crash points are off,
 * returns the stores unchanged.
 */
public final class Crashing {

    private Crashing() {}

    public static Stores ofWorker(CrashPoints points, Stores stores) {
        return of(points, stores, CrashPoint.WITHIN_MOVE, false);
    }

    public static Stores ofJanitor(CrashPoints points, Stores stores) {
        return of(points, stores, CrashPoint.ROLLING_FORWARD, true);
    }

    private static Stores of(CrashPoints points, Stores stores, CrashPoint within, boolean reclaiming) {
        return points.isOff()
                ? stores
                : new Stores(
                        stores.namespaces(),
                        new CrashingJournal(stores.journal(), points),
                        new CrashingLockStore(stores.locks(), points, reclaiming),
                        new CrashingTreeStore(stores.tree(), points, within),
                        new CrashingOutcomes(stores.outcomes(), points));
    }

    public static ProcessStore ofJanitor(CrashPoints points, ProcessStore processes) {
        return points.isOff() ? processes : new CrashingProcessStore(processes, points);
    }
}
