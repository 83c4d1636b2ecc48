package org.treerename.rename;

import org.treerename.lock.LockStore;

/** Where it stands who holds which locks and who may: all that an attempt at locks touches. */
public interface LockBooks {

    Journal journal();

    LockStore locks();

    static LockBooks of(Journal journal, LockStore locks) {
        record Both(Journal journal, LockStore locks) implements LockBooks {}
        return new Both(journal, locks);
    }
}
