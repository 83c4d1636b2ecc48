package org.treerename.journal;

import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockStore;
import org.treerename.store.InMemoryControlIndex;

class InMemoryLocksTest extends LocksContract {

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected LockStore locks() {
        return locks;
    }
}
