package org.treerename.journal;

import org.treerename.lock.LockStore;
import org.treerename.namespace.Namespaces;

/** The stores that a lock attempt uses: the namespaces, the journal and the lock tables. */
public interface LockBooks {

    Namespaces namespaces();

    Journal journal();

    LockStore locks();

    static LockBooks of(Namespaces namespaces, Journal journal, LockStore locks) {
        record StoresOfLocks(Namespaces namespaces, Journal journal, LockStore locks) implements LockBooks {}
        return new StoresOfLocks(namespaces, journal, locks);
    }
}
