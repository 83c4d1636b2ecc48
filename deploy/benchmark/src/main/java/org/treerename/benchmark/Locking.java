package org.treerename.benchmark;

/** One way to lock. Any thread may call it, each for itself. */
interface Locking {

    String name();

    /**
     * Takes a whole lock set, however long it takes, and gives it back.
     *
     * @param whileHeld is run in between
     */
    void takeAndGiveBack(TreeLocks locks, Runnable whileHeld) throws Exception;
}
