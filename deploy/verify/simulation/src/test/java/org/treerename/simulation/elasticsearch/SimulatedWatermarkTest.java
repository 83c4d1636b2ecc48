package org.treerename.simulation.elasticsearch;

import java.time.Instant;
import org.treerename.journal.Journal;
import org.treerename.journal.Watermark;
import org.treerename.journal.WatermarkContract;

class SimulatedWatermarkTest extends WatermarkContract {

    private final Cluster cluster = new Cluster();
    private final SimulatedJournal journal = new SimulatedJournal(Wire.direct(cluster), cluster);
    private final SimulatedWatermark watermark =
            new SimulatedWatermark(Wire.direct(cluster), cluster, () -> Instant.ofEpochSecond(1_772_359_200));

    @Override
    protected Watermark watermark() {
        return watermark;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
