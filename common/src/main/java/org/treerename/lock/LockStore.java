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
     * Removes from every table of the set the holds and the claim that the release names. A missing hold or claim is
     * not an error. For an {@linkplain LockSet#isOpen open} set the method also removes these holds and the claim from
     * every table of a single document. The method finds these tables by searches after refreshes, and repeats the
     * searches until a search finds no table. When this method returns, every table has confirmed the removal.
     *
     * @throws org.treerename.store.NoAnswerException if a table did not confirm the removal; the caller may try again
     */
    default void release(LockSet locks, Release release) {
        release(locks.parts().keySet(), release);
        if (locks.isOpen()) {
            releaseFromDocuments(locks.namespace(), release);
        }
    }

    /** Removes from the given tables the holds and the claim that the release names. */
    void release(Collection<LockTable.Id> tables, Release release);

    /** Removes from all tables of single documents in a namespace the holds and the claim that the release names. */
    void releaseFromDocuments(String namespace, Release release);

    /** Reads the given tables in real time. Returns an empty table for a table that does not exist. */
    List<LockTable> read(Collection<LockTable.Id> tables);

    /**
     * Passes every table that has a hold or a claim to the consumer. Finds the tables by searches after refreshes, and
     * does not keep all tables in memory at once.
     */
    void each(Consumer<LockTable> consumer);

    /** Returns every table that has a hold or a claim, as one list. */
    default List<LockTable> all() {
        List<LockTable> all = new ArrayList<>();
        each(all::add);
        return all;
    }

    /**
     * Returns one message for each table of a single document whose search keys differ from the ids of its holds and
     * claims. A release would not find the holds of such a table.
     */
    List<String> contradictions();
}
