package org.treerename.overview;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalEntry.Ending;
import org.treerename.journal.JournalEntry.Ownership;
import org.treerename.journal.JournalEntry.Progress;
import org.treerename.journal.JournalEntry.Repeats;
import org.treerename.journal.JournalEntry.Waiting;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;

/** Journal entries for tests. */
public final class Entries {

    static final Instant ASKED = Instant.parse("2026-03-01T10:00:00Z");

    private Entries() {}

    /** Returns the entry of a rename that {@code Somebody} requested {@code second} seconds after {@link #ASKED}. Its hold id is {@code hold-ID}. */
    public static JournalEntry rename(String requestId, String namespace, String source, State state, int second) {
        return rename(requestId, namespace, source, state, second, "worker-1");
    }

    public static JournalEntry rename(
            String requestId, String namespace, String source, State state, int second, String owner) {
        RenameRequest request =
                new RenameRequest(requestId, namespace, source, "/elsewhere", OnExisting.FAIL, "Somebody");
        return entry(requestId, request, null, state, second, owner);
    }

    /** Returns the entry of a rename that moves. */
    static JournalEntry moving(String requestId, String namespace, Progress progress) {
        JournalEntry begun = rename(requestId, namespace, "/a", State.MOVING, 1);
        return new JournalEntry(
                requestId,
                begun.request(),
                begun.requestedBy(),
                begun.digest(),
                begun.place(),
                begun.requestedAt(),
                begun.state(),
                begun.ownership(),
                begun.waiting(),
                progress,
                null,
                null,
                null,
                null,
                0);
    }

    /** Returns the entry of a writer. */
    public static JournalEntry writer(String requestId, WriteTarget writeTarget, int second) {
        return entry(requestId, null, writeTarget, State.HELD, second, "writer-1");
    }

    /** Returns the entry of a closed rename with an outcome of this status. */
    static JournalEntry ended(String requestId, String namespace, String status, int second) {
        JournalEntry open = rename(requestId, namespace, "/a", State.CLOSED, second);
        return new JournalEntry(
                requestId,
                open.request(),
                open.requestedBy(),
                open.digest(),
                open.place(),
                open.requestedAt(),
                open.state(),
                open.ownership(),
                open.waiting(),
                open.progress(),
                null,
                null,
                new Ending(ASKED.plusSeconds(second), "{\"status\":\"" + status + "\"}"),
                null,
                0);
    }

    private static JournalEntry entry(
            String requestId,
            @Nullable RenameRequest request,
            @Nullable WriteTarget writeTarget,
            State state,
            int second,
            String owner) {
        return new JournalEntry(
                requestId,
                request,
                request == null ? null : request.requestedBy(),
                "digest",
                new RecordPosition("rename.requests", 0, second),
                ASKED.plusSeconds(second),
                state,
                new Ownership(owner, 1, "hold-" + requestId),
                new Waiting(0, null, null),
                new Progress(0, 0, 0),
                null,
                null,
                null,
                null,
                0,
                Repeats.NONE,
                writeTarget);
    }
}
