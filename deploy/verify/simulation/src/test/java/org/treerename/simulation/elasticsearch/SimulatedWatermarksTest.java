package org.treerename.simulation.elasticsearch;

import org.treerename.journal.Journal;
import org.treerename.journal.Watermarks;
import org.treerename.journal.WatermarksContract;

class SimulatedWatermarksTest extends WatermarksContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedJournal journal = new SimulatedJournal(Wire.direct(cluster), cluster);
    private final SimulatedWatermarks watermarks = new SimulatedWatermarks(Wire.direct(cluster), cluster);

    @Override
    protected Watermarks watermarks() {
        return watermarks;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
