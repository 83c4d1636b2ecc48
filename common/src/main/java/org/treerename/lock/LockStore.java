package org.treerename.lock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The lock tables, without the acquisition of locks, which goes together with the journal entry ({@code Journal.prepare}). Any thread may call it.
 */
public interface LockStore {

    /**
     * Removes the named holds and the claim from every table of the set. It is no error if one is not there. For an {@linkplain
     * LockSet#isOpen open} set it also removes them from every table of a document, as searches after refreshes show these, until one shows none. When
     * it returns, every table has confirmed it.
     *
     * @throws org.treerename.store.NoAnswerException if some did not; a repetition is harmless
     */
    default void release(LockSet locks, Release release) {
        release(locks.parts().keySet(), release);
        if (locks.isOpen()) {
            releaseFromDocuments(locks.namespace(), release);
        }
    }

    /** Removes the named holds and the claim from these tables. */
    void release(Collection<LockTable.Id> tables, Release release);

    /** Removes them from every table of a document in a namespace. */
    void releaseFromDocuments(String namespace, Release release);

    /** Reads these tables in real time; an empty table for one that does not exist. */
    List<LockTable> read(Collection<LockTable.Id> tables);

    /** Passes on every table that has a hold or a claim, as searches after refreshes show them. Not all of them are in memory at once. */
    void each(Consumer<LockTable> look);

    /** Returns all of them at once. */
    default List<LockTable> all() {
        List<LockTable> all = new ArrayList<>();
        each(all::add);
        return all;
    }

    /** Returns the tables of documents whose search keys are not the ids of their holds and claims, in words: a release would not find such a hold. */
    List<String> contradictions();
}
