package org.treerename.overview;

import org.treerename.lock.InMemoryLockStore;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.Journal;
import org.treerename.store.InMemoryControlIndex;

class InMemoryLockSearchTest extends LockSearchContract {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);

    @Override
    protected LockSearch search() {
        return new InMemoryLockSearch(locks);
    }

    @Override
    protected Journal journal() {
        return journal;
    }
}
