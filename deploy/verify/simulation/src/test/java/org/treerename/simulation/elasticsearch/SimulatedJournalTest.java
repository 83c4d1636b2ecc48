package org.treerename.simulation.elasticsearch;

import org.treerename.rename.Journal;
import org.treerename.rename.JournalContract;

class SimulatedJournalTest extends JournalContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedJournal journal = new SimulatedJournal(Wire.direct(cluster), cluster);

    @Override
    protected Journal journal() {
        return journal;
    }
}
