package org.treerename.producer.http;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.JournalEntry.Waiting;
import org.treerename.rename.Outcome;
import org.treerename.rename.Place;
import org.treerename.rename.State;
import org.treerename.rename.Status;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.RequestCodec;

/** A topic that becomes a journal at once: what is asked for is prepared, and waits until the test says how it goes on. */
final class InMemoryRenames implements Renames, Requests {

    static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<String, JournalEntry> entries = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();

    /** What each call ends with; null where all is well. */
    volatile @Nullable RuntimeException failure;

    volatile boolean acknowledges = true;

    /** What was sent with the last request. */
    volatile List<String> after = List.of();

    @Override
    public String newRequestId() {
        return "new-" + ids.incrementAndGet();
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> others) {
        if (!acknowledges) {
            return new CompletableFuture<>();
        }
        after = others;
        entries.putIfAbsent(
                request.requestId(), entry(request.requestId(), request, State.PREPARED, new Progress(0, 0, 0), null));
        return CompletableFuture.completedFuture(null);
    }

    private JournalEntry entry(
            String id, RenameRequest request, State state, Progress progress, @Nullable Ending ending) {
        return new JournalEntry(
                id,
                request,
                request.requestedBy(),
                RequestCodec.digest(request),
                new Place("rename.requests", 0, 0),
                ASKED.plusSeconds(entries.size()),
                state,
                new Ownership("worker-1", 1, null),
                new Waiting(0, null, null),
                progress,
                null,
                null,
                ending,
                null,
                0);
    }

    RenameRequest request(String id) {
        return read(id).map(InMemoryRenames::request).orElseThrow();
    }

    void move(String id, long moved, long expected) {
        entries.computeIfPresent(
                id, (same, entry) -> entry(id, request(entry), State.MOVING, new Progress(expected, moved, 1), null));
    }

    void end(String id, State state, Status status) {
        entries.computeIfPresent(id, (same, entry) -> {
            Outcome outcome = new Outcome(
                    id,
                    status,
                    null,
                    "it has ended",
                    3,
                    0,
                    "worker-1",
                    false,
                    entry.requestedBy(),
                    ASKED,
                    ASKED,
                    ASKED);
            return entry(
                    id,
                    request(entry),
                    state,
                    new Progress(3, 3, 1),
                    new Ending(ASKED, new JsonOutcomeCodec().encode(outcome)));
        });
    }

    private static RenameRequest request(JournalEntry entry) {
        RenameRequest request = entry.request();
        if (request == null) {
            throw new AssertionError(entry.requestId() + " has no request");
        }
        return request;
    }

    private void look() {
        reads.incrementAndGet();
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    @Override
    public Optional<JournalEntry> read(String requestId) {
        look();
        return Optional.ofNullable(entries.get(requestId));
    }

    @Override
    public List<JournalEntry> read(Collection<String> requestIds) {
        look();
        return requestIds.stream()
                .flatMap(id -> Optional.ofNullable(entries.get(id)).stream())
                .toList();
    }

    @Override
    public void close() {}
}
