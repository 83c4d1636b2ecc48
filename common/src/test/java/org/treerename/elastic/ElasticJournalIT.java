package org.treerename.elastic;

import org.treerename.rename.Journal;
import org.treerename.rename.JournalContract;

class ElasticJournalIT extends JournalContract {

    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected Journal journal() {
        return journal;
    }
}
