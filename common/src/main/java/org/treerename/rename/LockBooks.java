package org.treerename.rename;

import org.treerename.lock.LockStore;
import org.treerename.path.Namespaces;

/** Where it stands who holds which locks and who may: all that an attempt at locks touches. */
public interface LockBooks {

    Namespaces namespaces();

    Journal journal();

    LockStore locks();

    static LockBooks of(Namespaces namespaces, Journal journal, LockStore locks) {
        record Both(Namespaces namespaces, Journal journal, LockStore locks) implements LockBooks {}
        return new Both(namespaces, journal, locks);
    }
}
