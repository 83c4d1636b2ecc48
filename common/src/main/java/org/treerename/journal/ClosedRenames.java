package org.treerename.journal;

import java.util.List;

/** The closed renames that the journal still contains. Any thread may call this interface. */
public interface ClosedRenames {

    /**
     * Searches the journal after a refresh, and returns the closed entries of one namespace. The entry that ended last
     * comes first. Entries of a later protocol are left out.
     *
     * @param minDocuments the method returns only renames that had to move at least this number of documents, as
     *     counted when the rename was decided
     * @param maxCount the largest number of entries to return
     */
    List<JournalEntry> latest(String namespace, long minDocuments, int maxCount);
}
