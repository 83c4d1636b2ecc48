package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.overview.InMemoryJournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.path.TreePath;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Pause;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.InMemoryControlIndex;

/** The in-memory stores that a console reads, and methods that fill these stores. */
final class Stage {

    static final Instant ASKED = Instant.parse("2026-03-01T10:00:00Z");
    static final String FILES = "files";

    final InMemoryControlIndex control = new InMemoryControlIndex();
    final InMemoryLockStore locks = new InMemoryLockStore(control);
    final InMemoryJournal journal = new InMemoryJournal(control, locks);
    final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    final InMemoryNamespaces namespaces = new InMemoryNamespaces();
    Optional<Pause> pause = Optional.empty();
    final List<JsonNode> deadLetters = new ArrayList<>();

    Stage() {
        namespaces.define(Namespace.ofFiles(FILES, "files-1"));
    }

    Views.Sources sources() {
        InMemoryJournalSearch search = new InMemoryJournalSearch(journal);
        return new Views.Sources(
                search,
                new Overview(journal, search, new LockSearch(locks), processes),
                processes,
                namespaces,
                () -> pause,
                () -> List.copyOf(deadLetters));
    }

    void begins(String processId) {
        processes.create(ProcessDocument.live(
                new ProcessId(processId), "worker", "host", Duration.ofSeconds(30), ASKED, "uuid"));
    }

    void beats(String processId) {
        var found = processes.read(new ProcessId(processId)).orElseThrow();
        processes.write(found.value().nextHeartbeat(0), found.version());
    }

    void becomes(String processId, ProcessState state) {
        var found = processes.read(new ProcessId(processId)).orElseThrow();
        processes.write(found.value().in(state), found.version());
    }

    /**
     * Returns a rename of {@code /a} to {@code /b} whose owner is {@code worker-1}. The time of its request is {@code
     * second} seconds after {@link #ASKED}.
     */
    static JournalEntry rename(String requestId, State state, int second) {
        return entry(requestId, state, second, "worker-1", new Progress(0, 0, 0), null, null);
    }

    /** Returns a MOVING rename that {@code worker-1} committed five seconds after its request. */
    static JournalEntry moving(String requestId, int second, String owner, Progress progress) {
        return entry(requestId, State.MOVING, second, owner, progress, committed(second), null);
    }

    /** Returns a rename that {@code worker-1} committed, and that ended twenty seconds after its request. */
    static JournalEntry closed(String requestId, int second, String owner, String status) {
        return entry(
                requestId,
                State.CLOSED,
                second,
                owner,
                new Progress(1_500, 1_500, 2),
                committed(second),
                new Ending(ASKED.plusSeconds(second + 20), "{\"status\":\"" + status + "\"}"));
    }

    private static Decision committed(int second) {
        return new Decision(ASKED.plusSeconds(second + 5), "worker-1", Map.of(), List.of());
    }

    private static JournalEntry entry(
            String requestId,
            State state,
            int second,
            String owner,
            Progress progress,
            @Nullable Decision decision,
            @Nullable Ending ending) {
        return TestEntry.of(new RenameRequest(requestId, FILES, "/a", "/b", OnExisting.FAIL, "user-1"))
                .place(new RecordPosition("rename.requests", 0, second))
                .at(ASKED.plusSeconds(second))
                .in(state)
                .owner(owner, 2, "hold-" + requestId)
                .progress(progress)
                .decision(decision)
                .ending(ending)
                .build();
    }

    /** Tries to acquire one lock. The path has no notation, as if a store had returned it. */
    void attempts(String requestId, int second, String path, LockMode mode) {
        JournalEntry entry = rename(requestId, State.PREPARED, second);
        LockSet alone = new LockSet(FILES, new TreeMap<>(Map.of(new TreePath(path), mode)));
        journal.prepare(new Attempt(
                JournalStep.ATTEMPT, entry, null, null, new Hold("hold-" + requestId, "worker-1", entry.age()), alone));
    }
}
