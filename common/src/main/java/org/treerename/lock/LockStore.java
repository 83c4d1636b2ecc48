package org.treerename.lock;

import java.util.List;
import java.util.Optional;
import org.treerename.path.Path;

/**
 * The lock documents, but for the taking of locks, which goes together with the journal entry. Any thread may call it.
 */
public interface LockStore {

    /**
     * Takes the named holds and claim out of every lock document of the set; what is not there is not missed. When it
     * returns, every document has confirmed it.
     *
     * @throws org.treerename.store.NoAnswerException if some did not; doing it again is harmless
     */
    void release(LockSet locks, Release release);

    /** Every lock document, as a search after a refresh shows them. */
    List<LockDocument> all();

    /**
     * Where a stored lock document contradicts itself, in words: what it repeats of its holds and claims, to count and to
     * search by, is not what they are.
     */
    List<String> contradictions();

    /** Who holds and claims a path now, read in real time. Empty if nobody does. */
    Optional<LockDocument> read(String namespace, Path path);
}
