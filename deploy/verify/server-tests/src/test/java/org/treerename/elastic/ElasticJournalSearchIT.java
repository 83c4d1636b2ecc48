package org.treerename.elastic;

import org.treerename.journal.Journal;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearchContract;

class ElasticJournalSearchIT extends JournalSearchContract {

    private final ElasticJournalSearch search = new ElasticJournalSearch(RealElastic.CONTROL);
    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected JournalSearch search() {
        return search;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
