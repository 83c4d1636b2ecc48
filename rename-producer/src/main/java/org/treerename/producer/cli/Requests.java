package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;
import org.treerename.rename.JournalEntry;

/**
 * Reads and cancels single requests in the journal. Each method may throw {@link
 * org.treerename.store.NoAnswerException} or {@link org.treerename.store.RefusedException}.
 */
interface Requests extends AutoCloseable {

    /**
     * Returns the entry of a request and the state of its owner. Both may change at any time. Returns empty if there is
     * no entry.
     */
    Optional<OwnedEntry> carried(String requestId);

    /**
     * Returns the entry of a request. If the request is decided, an acknowledged write has confirmed the entry. See
     * {@link Cancellation#find}.
     */
    Optional<JournalEntry> find(String requestId);

    /** Cancels a request if it is not decided. See {@link Cancellation#cancel}. */
    Cancellation.Answer cancel(String requestId, String by);

    @Override
    void close();
}
