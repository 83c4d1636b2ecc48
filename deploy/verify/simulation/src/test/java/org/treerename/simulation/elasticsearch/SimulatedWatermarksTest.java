package org.treerename.simulation.elasticsearch;

import org.treerename.rename.Journal;
import org.treerename.rename.Watermarks;
import org.treerename.rename.WatermarksContract;

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
