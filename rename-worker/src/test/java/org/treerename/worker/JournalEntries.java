package org.treerename.worker;

import java.time.Instant;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.JournalEntry.Waiting;
import org.treerename.rename.RecordPosition;
import org.treerename.rename.State;

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
