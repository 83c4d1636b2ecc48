package org.treerename.benchmark;

/** An implementation of locks. Any thread may call this interface. */
interface Locking {

    String name();

    /**
     * Acquires a whole lock set, runs an action, and releases the lock set. Blocks until the lock set is acquired.
     *
     * @param whileHeld runs while the lock set is held
     */
    void takeAndGiveBack(TreeLocks locks, Runnable whileHeld) throws Exception;
}
