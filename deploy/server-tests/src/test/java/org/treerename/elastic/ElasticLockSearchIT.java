package org.treerename.elastic;

import org.treerename.overview.LockSearch;
import org.treerename.overview.LockSearchContract;
import org.treerename.rename.Journal;

class ElasticLockSearchIT extends LockSearchContract {

    private final ElasticLockSearch search = new ElasticLockSearch(RealElastic.CONTROL);
    private final ElasticJournal journal = new ElasticJournal(RealElastic.CONTROL);

    @Override
    protected LockSearch search() {
        return search;
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
