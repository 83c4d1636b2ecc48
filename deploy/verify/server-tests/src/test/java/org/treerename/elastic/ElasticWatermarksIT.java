package org.treerename.elastic;

import org.treerename.rename.Journal;
import org.treerename.rename.Watermarks;
import org.treerename.rename.WatermarksContract;

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
