package org.treerename.rename;

import java.util.List;

/** What the journal keeps of renames that are closed. Any thread may call it. */
public interface ClosedRenames {

    /**
     * Entries of one namespace, the last that ended first, as a search after a refresh shows them; those of a later protocol
     * left out.
     *
     * @param least how many documents each had to move at least, when it was decided
     * @param most how many at most
     */
    List<JournalEntry> latest(String namespace, long least, int most);
}
