package org.treerename.elastic;

import org.treerename.journal.Journal;
import org.treerename.journal.Watermarks;
import org.treerename.journal.WatermarksContract;

class ElasticWatermarksIT extends WatermarksContract {

    private final ElasticWatermarks watermarks = new ElasticWatermarks(RealElastic.CONTROL);
    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected Watermarks watermarks() {
        return watermarks;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
