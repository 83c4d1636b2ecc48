package org.treerename.simulation.elasticsearch;

import org.treerename.journal.Journal;
import org.treerename.journal.LocksContract;
import org.treerename.lock.LockStore;

class SimulatedLocksTest extends LocksContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedJournal journal = new SimulatedJournal(Wire.direct(cluster), cluster);
    private final SimulatedLockStore locks = new SimulatedLockStore(Wire.direct(cluster), cluster);

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected LockStore locks() {
        return locks;
    }

    /** Returns 1, because the simulation runs one thread at a time. */
    @Override
    protected int threads() {
        return 1;
    }
}
