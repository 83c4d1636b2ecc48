package org.treerename.producer.cli;

import java.util.Optional;
import org.treerename.rename.Cancellation;
import org.treerename.rename.JournalEntry;

/**
 * The journal, as it is asked for one request. Each call may throw {@link org.treerename.store.NoAnswerException} or {@link
 * org.treerename.store.RefusedException}.
 */
interface Requests extends AutoCloseable {

    /**
     * What is known of a request.
     *
     * @param processState of the process that its entry names: {@code live}, {@code fenced}, {@code stopped}, or {@code unknown}
     */
    record Standing(JournalEntry entry, String processState) {}

    /** As a read shows it, which may change the next moment; empty where there is no entry. */
    Optional<Standing> standing(String requestId);

    /** See {@link Cancellation#look}. */
    Optional<JournalEntry> look(String requestId);

    /** See {@link Cancellation#cancel}. */
    Cancellation.Answer cancel(String requestId, String by);

    @Override
    void close();
}
