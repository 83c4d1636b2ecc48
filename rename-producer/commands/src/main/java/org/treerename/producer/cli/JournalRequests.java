package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.journal.JournalEntry;
import org.treerename.rename.Cancellation;

/** Reads and cancels requests in the journal, without a gateway. */
interface JournalRequests extends Requests {

    /**
     * Returns the entry of a request. If the request is decided, an acknowledged write has confirmed the entry. See
     * {@link Cancellation#find}.
     */
    Optional<JournalEntry> find(String requestId);
}
