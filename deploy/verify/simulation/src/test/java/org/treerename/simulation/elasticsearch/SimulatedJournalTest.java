package org.treerename.simulation.elasticsearch;

import org.treerename.journal.Journal;
import org.treerename.journal.JournalContract;

class SimulatedJournalTest extends JournalContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedJournal journal = new SimulatedJournal(Wire.direct(cluster), cluster);

    @Override
    protected Journal journal() {
        return journal;
    }
}
