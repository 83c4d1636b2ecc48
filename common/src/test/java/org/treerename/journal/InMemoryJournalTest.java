package org.treerename.journal;

import org.treerename.lock.InMemoryLockStore;
import org.treerename.store.InMemoryControlIndex;

class InMemoryJournalTest extends JournalContract {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));

    @Override
    protected Journal journal() {
        return journal;
    }
}
