package org.treerename.janitor.recovery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.store.Versioned;

/**
 * The documents that a parked rename has not moved.
 *
 * @param seen the entry of the rename
 * @param documents the number of documents at and below the source; if {@code problem} is not null, the number by the
 *     journal
 * @param first the ids of the first of these documents
 * @param unsealed the number of documents that could not be sealed
 * @param problem the reason why the documents could not be counted and sealed; null if there is none
 */
public record Unmoved(
        Versioned<JournalEntry> seen,
        long documents,
        List<String> first,
        long unsealed,
        @Nullable String problem) {

    private static final String LATE = "; a late request of a dead process may still move or delete such documents";

    public Unmoved {
        first = List.copyOf(first);
    }

    /** Returns one sentence for people. */
    public String inWords() {
        if (problem != null) {
            return "the documents that were not moved cannot be counted (" + problem + "); by the journal, at most "
                    + documents + " of " + seen.value().progress().expected() + LATE;
        }
        return "documents that were not moved: " + documents
                + (first.isEmpty() ? "" : "; the first: " + String.join(", ", first))
                + (unsealed == 0 ? "" : "; documents that could not be sealed: " + unsealed + LATE);
    }
}
