package org.treerename.overview;

import java.time.Instant;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;

/** Creates journal entries of renames and writers that were requested some seconds after {@link #ASKED}. */
public final class Entries {

    static final Instant ASKED = Instant.parse("2026-03-01T10:00:00Z");

    private Entries() {}

    /**
     * Returns the entry of a rename that {@code Ann} requested {@code second} seconds after {@link #ASKED}. The hold id
     * of the entry is {@code hold-ID}.
     */
    public static JournalEntry rename(String requestId, String namespace, String source, State state, int second) {
        return rename(requestId, namespace, source, state, second, "worker-1");
    }

    public static JournalEntry rename(
            String requestId, String namespace, String source, State state, int second, String owner) {
        RenameRequest request = new RenameRequest(requestId, namespace, source, "/elsewhere", OnExisting.FAIL, "Ann");
        TestEntry begun = TestEntry.of(request).in(state).place(new RecordPosition("rename.requests", 0, second));
        return entry(begun, requestId, second, owner);
    }

    /** Returns the entry of a decided rename with this progress. */
    static JournalEntry moving(String requestId, String namespace, Progress progress) {
        JournalEntry begun = rename(requestId, namespace, "/a", State.MOVING, 1);
        return TestEntry.like(begun).progress(progress).build();
    }

    /** Returns the entry of a writer. */
    public static JournalEntry writer(String requestId, WriteTarget writeTarget, int second) {
        return entry(TestEntry.of(requestId, writeTarget), requestId, second, "writer-1");
    }

    /** Returns the entry of a closed rename with an outcome of this status. */
    static JournalEntry ended(String requestId, String namespace, String status, int second) {
        JournalEntry open = rename(requestId, namespace, "/a", State.CLOSED, second);
        return TestEntry.like(open)
                .ending(new Ending(ASKED.plusSeconds(second), "{\"status\":\"" + status + "\"}"))
                .build();
    }

    private static JournalEntry entry(TestEntry begun, String requestId, int second, String owner) {
        return begun.at(ASKED.plusSeconds(second))
                .owner(owner, 1, "hold-" + requestId)
                .build();
    }
}
