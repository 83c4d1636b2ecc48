package org.treerename.elastic;

import org.treerename.journal.Journal;
import org.treerename.journal.Watermark;
import org.treerename.journal.WatermarkContract;

class ElasticWatermarkIT extends WatermarkContract {

    private final ElasticWatermark watermark = new ElasticWatermark(RealElastic.CONTROL);
    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected Watermark watermark() {
        return watermark;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
