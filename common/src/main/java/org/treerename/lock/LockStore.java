package org.treerename.lock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The store of the lock tables. This store does not acquire locks: {@code Journal.prepare} acquires locks and writes
 * the journal entry in one request. Any thread may call this interface.
 */
public interface LockStore {

    /**
     * Removes the holds and the claim of the release from every table of the set. A missing hold or claim is not an
     * error. If the set is {@linkplain LockSet#isOpen open}, this method also removes the holds and the claim from the
     * tables of all single documents. This method finds these tables by searches after refreshes, and repeats the
     * search until no table changes. When this method returns, every removal is acknowledged.
     *
     * @throws org.treerename.store.NoAnswerException if a removal was not acknowledged; the caller may try again
     */
    default void release(LockSet locks, Release release) {
        release(locks.parts().keySet(), release);
        if (locks.isOpen()) {
            releaseFromDocuments(locks.namespace(), release);
        }
    }

    /** Removes the holds and the claim of the release from the given tables. */
    void release(Collection<LockTable.Id> tables, Release release);

    /** Removes the holds and the claim of the release from all tables of single documents in a namespace. */
    void releaseFromDocuments(String namespace, Release release);

    /** Reads the given tables in real time. If a table does not exist, returns an empty table in its place. */
    List<LockTable> read(Collection<LockTable.Id> tables);

    /**
     * Calls the consumer with every table that contains a hold or a claim. Finds the tables by searches after
     * refreshes. Does not keep all tables in memory at the same time.
     */
    void each(Consumer<LockTable> consumer);

    /** Returns all tables that contain a hold or a claim. */
    default List<LockTable> all() {
        List<LockTable> all = new ArrayList<>();
        each(all::add);
        return all;
    }

    /**
     * Checks the tables of single documents. Returns one message for each table whose search keys differ from the ids
     * of its holds and claims. A release would not find the holds of such a table.
     */
    List<String> contradictions();
}
