package org.treerename.simulation;

import org.treerename.lock.ForwardingLockStore;
import org.treerename.lock.LockStore;

/** A lock store that forwards each call to another lock store. */
abstract class DecoratedLockStore implements ForwardingLockStore {
    private final LockStore locks;

    DecoratedLockStore(LockStore locks) {
        this.locks = locks;
    }

    @Override
    public LockStore locks() {
        return locks;
    }
}
