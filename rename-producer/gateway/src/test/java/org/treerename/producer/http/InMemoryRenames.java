package org.treerename.producer.http;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockPriority;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OwnedEntry;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.rename.Cancellation;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.SystemTime;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

/**
 * A request topic and a journal in memory. A published request has an entry immediately. The entry is in the state
 * PREPARED until the test changes the entry.
 */
final class InMemoryRenames implements Renames, Requests, WaitingRequests {

    static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");

    private static final Decision COMMIT = new Decision(ASKED.plusMillis(1_045), "worker-1", Map.of(), List.of());

    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final Renames renames = new JournalRenames(
            journal,
            new Overview(
                    journal,
                    new InMemoryJournalSearch(journal),
                    new LockSearch(locks),
                    new InMemoryProcessStore(control)),
            new Cancellation(journal, new SystemTime(), Backoff.Factory.jittered(new SystemTime())));
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicInteger published = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();

    /** The code that runs during each read of several renames. */
    volatile Runnable duringRead = () -> {};

    /** The exception that each access to the journal throws; null if there is none. */
    volatile @Nullable RuntimeException failure;

    volatile boolean acknowledges = true;

    /** Whether Kafka answers a search for waiting requests. */
    volatile boolean searches = true;

    /** Whether a search finds every waiting request. */
    volatile boolean isComplete = true;

    /** Whether the gateway may read the request topic. */
    volatile boolean isPermitted = true;

    /** The number of searches for waiting requests. */
    final AtomicInteger topicSearches = new AtomicInteger();

    private final Map<String, Queued> queued = new ConcurrentHashMap<>();

    /** The ids of the predecessors of the last published request. */
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
        journal.create(JournalStep.ATTEMPT, entry(request, State.PREPARED, new Progress(0, 0, 0), null, null));
        return CompletableFuture.completedFuture(null);
    }

    private JournalEntry entry(
            RenameRequest request,
            State state,
            Progress progress,
            @Nullable Decision decision,
            @Nullable Ending ending) {
        return TestEntry.of(request)
                .digest(RequestCodec.digest(request))
                .at(ASKED.plusSeconds(published.getAndIncrement()))
                .in(state)
                .progress(progress)
                .decision(decision)
                .ending(ending)
                .build();
    }

    /** Creates the journal entry of a writer's hold. */
    void hold(String id) {
        journal.create(
                JournalStep.ATTEMPT,
                TestEntry.of(id, new WriteTarget("files", List.of("/a")))
                        .at(ASKED)
                        .build());
    }

    /** Creates the placeholder that a janitor writes for a hold whose request has no entry. */
    void place(String id) {
        journal.create(JournalStep.PLACEHOLDER, JournalEntry.placeholder(id, "worker-1", ASKED));
    }

    RenameRequest request(String id) {
        RenameRequest request = entry(id).value().request();
        if (request == null) {
            throw new AssertionError(id + " has no request");
        }
        return request;
    }

    private Versioned<JournalEntry> entry(String id) {
        return journal.read(id).orElseThrow();
    }

    void move(String id, long moved, long expected) {
        journal.write(
                JournalStep.PROGRESS,
                entry(request(id), State.MOVING, new Progress(expected, moved, 1), COMMIT, null),
                entry(id).version());
    }

    void end(String id, State state, Status status) {
        Outcome outcome = new Outcome(
                id,
                status,
                null,
                "it has ended",
                3,
                0,
                "worker-1",
                false,
                request(id).requestedBy(),
                ASKED,
                ASKED,
                ASKED,
                null);
        Ending ending = new Ending(ASKED, OutcomeCodec.encode(outcome));
        journal.write(
                JournalStep.PROGRESS,
                entry(request(id), state, new Progress(3, 3, 1), status == Status.COMPLETED ? COMMIT : null, ending),
                entry(id).version());
    }

    /** Adds a request to the request topic, without a journal entry. */
    void queue(RenameRequest request) {
        RecordPosition position = new RecordPosition("rename.requests", 0, 0);
        queued.put(
                request.requestId(), new Queued(new Delivery(request, RequestCodec.digest(request), position, ASKED)));
    }

    @Override
    public SearchResults findAll(Set<String> requestIds) {
        topicSearches.incrementAndGet();
        if (!searches) {
            throw new NoAnswerException("Kafka is not there", null);
        }
        Map<String, Queued> found = new HashMap<>(queued);
        found.keySet().retainAll(requestIds);
        return new SearchResults(found, isComplete, isPermitted);
    }

    private Renames countedRead() {
        reads.incrementAndGet();
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return renames;
    }

    @Override
    public Optional<OwnedEntry> read(String requestId) {
        return countedRead().read(requestId);
    }

    @Override
    public Optional<String> digest(String requestId) {
        return countedRead().digest(requestId);
    }

    @Override
    public List<OwnedEntry> read(Collection<String> requestIds) {
        List<OwnedEntry> read = countedRead().read(requestIds);
        duringRead.run();
        return read;
    }

    @Override
    public Overview.Renames find(Filter filter, @Nullable LockPriority after, int most) {
        return countedRead().find(filter, after, most);
    }

    @Override
    public Optional<JournalEntry> confirmed(String requestId) {
        return countedRead().confirmed(requestId);
    }

    @Override
    public Cancellation.Answer cancel(String requestId, String by) {
        return countedRead().cancel(requestId, by);
    }

    @Override
    public Cancellation.Answer cancel(Delivery waiting, String by) {
        return countedRead().cancel(waiting, by);
    }
}
