package org.treerename.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.path.Path;

/**
 * The lock documents, but for the taking of locks, which goes together with the journal entry. Any thread may call it.
 */
public interface LockStore {

    /**
     * Takes the named holds and claim out of every lock document of the set; what is not there is not missed. Of an {@linkplain
     * LockSet#open open} set also out of every other one, as searches after refreshes show them, until one shows none. When
     * it returns, every document has confirmed it.
     *
     * @throws org.treerename.store.NoAnswerException if some did not; doing it again is harmless
     */
    void release(LockSet locks, Release release);

    /** Looks at every lock document, as a search after a refresh shows them; not all of them are in memory at once. */
    void each(Consumer<LockDocument> look);

    /** All of them at once. */
    default List<LockDocument> all() {
        List<LockDocument> all = new ArrayList<>();
        each(all::add);
        return all;
    }

    /**
     * Where a stored lock document contradicts itself, in words: what it repeats of its holds and claims, to count and to
     * search by, is not what they are.
     */
    List<String> contradictions();

    /** Who holds and claims a path now, read in real time. Empty if nobody does. */
    Optional<LockDocument> read(String namespace, Path path);
}
