package org.treerename.worker;

import java.time.Instant;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.request.RecordPosition;

/** Creates the journal entries of predecessors: requests that other requests wait for. */
final class JournalEntries {

    private JournalEntries() {}

    static JournalEntry in(State state, String requestId, Instant at) {
        return TestEntry.of(requestId)
                .place(new RecordPosition("rename.requests", 1, 0))
                .at(at)
                .in(state)
                .owner("worker-9", 1, null)
                .ending(state.isFinal() ? new Ending(at, "{}") : null)
                .build();
    }
}
