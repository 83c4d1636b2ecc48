package org.treerename.benchmark;

import java.util.List;

/** Acquires and releases lock sets with one implementation of locks. Any thread may call the methods. */
interface Locking {

    String name();

    /** Returns the roles whose processor time is measured. Returns an empty list if no processor time is measured. */
    default List<Role> roles() {
        return List.of();
    }

    /**
     * Acquires a whole lock set, runs {@code whileHeld}, and releases the lock set. Blocks until the lock set is
     * acquired.
     */
    void acquireAndRelease(TreeLocks locks, Runnable whileHeld) throws Exception;
}
