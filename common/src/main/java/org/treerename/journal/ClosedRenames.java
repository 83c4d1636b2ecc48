package org.treerename.journal;

import java.util.List;

/** The closed renames that the journal still has. Any thread may call this interface. */
public interface ClosedRenames {

    /**
     * Returns the closed entries of one namespace that a search after a refresh finds. The entry that ended last is the
     * first. Entries of a later protocol are left out.
     *
     * @param minDocuments the smallest number of documents that each rename had to move, counted when it was decided
     * @param maxCount the largest number of entries to return
     */
    List<JournalEntry> latest(String namespace, long minDocuments, int maxCount);
}
