package org.treerename.rename;

import java.util.List;

/** The closed renames that the journal still has. Any thread may call it. */
public interface ClosedRenames {

    /**
     * Returns closed entries of one namespace, the last that ended first, as a search after a refresh shows them.
     * Entries of a later protocol are left out.
     *
     * @param minDocuments the smallest number of documents that each rename had to move, counted when it was decided
     * @param maxCount the largest number of entries to return
     */
    List<JournalEntry> latest(String namespace, long minDocuments, int maxCount);
}
