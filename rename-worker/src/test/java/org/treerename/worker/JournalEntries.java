package org.treerename.worker;

import java.time.Instant;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalEntry.Ending;
import org.treerename.journal.JournalEntry.Ownership;
import org.treerename.journal.JournalEntry.Progress;
import org.treerename.journal.JournalEntry.Waiting;
import org.treerename.journal.State;
import org.treerename.request.RecordPosition;

/** Journal entries of requests that others wait for. */
final class JournalEntries {

    private JournalEntries() {}

    static JournalEntry in(State state, String requestId, Instant at) {
        return new JournalEntry(
                requestId,
                null,
                null,
                "digest",
                new RecordPosition("rename.requests", 1, 0),
                at,
                state,
                new Ownership("worker-9", 1, null),
                new Waiting(0, null, null),
                new Progress(0, 0, 0),
                null,
                null,
                state.isFinal() ? new Ending(at, "{}") : null,
                null,
                0);
    }
}
