package org.treerename.overview;

import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.store.InMemoryControlIndex;

class InMemoryJournalSearchTest extends JournalSearchContract {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);

    @Override
    protected JournalSearch search() {
        return new InMemoryJournalSearch(journal);
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
