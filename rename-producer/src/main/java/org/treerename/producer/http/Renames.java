package org.treerename.producer.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.rename.JournalEntry;

/**
 * The renames of the journal. Any thread may call it; each call may throw {@link org.treerename.store.NoAnswerException} or
 * {@link org.treerename.store.RefusedException}.
 */
interface Renames extends AutoCloseable {

    /** As a read shows it, which may change the next moment; empty where the journal knows none. */
    Optional<JournalEntry> read(String requestId);

    /** The same of several at once; those that it does not know are left out. */
    List<JournalEntry> read(Collection<String> requestIds);

    @Override
    void close();
}
