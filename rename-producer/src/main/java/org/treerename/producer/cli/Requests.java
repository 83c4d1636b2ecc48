package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.Cancellation;
import org.treerename.rename.JournalEntry;

/**
 * The journal, as it is asked for one request. Each call may throw {@link org.treerename.store.NoAnswerException} or {@link
 * org.treerename.store.RefusedException}.
 */
interface Requests extends AutoCloseable {

    /** Its entry as a read shows it, which may change the next moment; empty where there is none. */
    Optional<OwnedEntry> carried(String requestId);

    /** See {@link Cancellation#look}. */
    Optional<JournalEntry> look(String requestId);

    /** See {@link Cancellation#cancel}. */
    Cancellation.Answer cancel(String requestId, String by);

    @Override
    void close();
}
