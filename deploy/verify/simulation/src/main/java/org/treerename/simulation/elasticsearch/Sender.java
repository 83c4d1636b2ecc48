package org.treerename.simulation.elasticsearch;

import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;

/**
 * The sender of a request.
 *
 * @param name the name of the process
 * @param processing the last journal entry that the sending thread has written; null if it has written none
 * @param step the journal step with which the request writes an entry; null if the request writes no journal entry
 */
public record Sender(
        String name,
        @Nullable JournalEntry processing,
        @Nullable JournalStep step) {

    /** Creates the sender of a request that writes no journal entry. */
    public Sender(String name, @Nullable JournalEntry processing) {
        this(name, processing, null);
    }

    Sender taking(JournalStep next) {
        return new Sender(name, processing, next);
    }
}
