package org.treerename.journal;

import java.util.List;

/** The closed renames that the journal still contains. Any thread may call this interface. */
public interface ClosedRenames {

    /**
     * Searches the journal after a refresh, and returns the closed entries of one namespace. The rename that ended last
     * comes first. The result contains no entries of a later protocol version.
     *
     * @param minDocuments the smallest number of documents that a rename had to move, as counted when the rename was
     *     decided
     * @param maxCount the largest number of entries to return
     */
    List<JournalEntry> latest(String namespace, long minDocuments, int maxCount);
}
