package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.InMemoryWatermark;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.request.InMemoryOutcomes;
import org.treerename.request.InMemoryRequestLog;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Outcomes;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.Versioned;
import org.treerename.tree.InMemoryTreeStore;
import org.treerename.tree.TreeStore;

/**
 * The in-memory stores and the clock of a process, and one namespace of files. Methods of this class create the other
 * objects that a process needs to run renames.
 */
public class World {

    public static final String INDEX = "files-1";
    public static final Namespace FILES = Namespace.ofFiles("files", INDEX);
    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final Duration LOCK_WAIT = Duration.ofSeconds(10);
    public static final Duration LOG_RETENTION = Duration.ofDays(7);
    public static final Duration ENTRY_RETENTION = Duration.ofDays(8);

    public final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:05Z");
    final InMemoryControlIndex control = new InMemoryControlIndex();
    public final InMemoryLockStore locks = new InMemoryLockStore(control);
    public final InMemoryJournal journal = new InMemoryJournal(control, locks);
    public final InMemoryWatermark watermark = new InMemoryWatermark(control, time);
    public final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    public final InMemoryRequestLog log = new InMemoryRequestLog(() -> Optional.of(LOG_RETENTION));
    public final InMemoryNamespaces namespaces = new InMemoryNamespaces();
    public final InMemoryTreeStore tree = new InMemoryTreeStore(2);
    public final InMemoryOutcomes outcomes = new InMemoryOutcomes();
    public final StopSignal stop = new StopSignal();
    public final Calls calls = new Calls(Interference.none());

    public World() {
        this(Granularity.TREE);
    }

    public World(Granularity granularity) {
        tree.createIndex(INDEX);
        namespaces.define(files(granularity));
    }

    /** Returns {@link #FILES} with this granularity of locks. */
    static Namespace files(Granularity granularity) {
        return FILES.lockedBy(granularity);
    }

    public void file(String id, String path) {
        put(id, path, "file");
    }

    public void directory(String id, String path) {
        put(id, path, "directory");
    }

    private void put(String id, String path, String type) {
        TreePath at = new TreePath(path);
        tree.put(
                INDEX,
                id,
                null,
                "{\"path\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"type\":\"%s\",\"size\":1.10}"
                        .formatted(at, at.parent(), at.name(), type));
    }

    /**
     * Creates the directory {@code /a}, and the file {@code /ab} outside this directory. The directory {@code /a}
     * contains two files, and a directory with one file.
     */
    public World withTree() {
        directory("a", "/a");
        file("a1", "/a/1");
        file("a2", "/a/2");
        directory("ad", "/a/d");
        file("ad1", "/a/d/1");
        file("ab", "/ab");
        return this;
    }

    /** Returns the paths of the six documents of {@link #withTree} after {@code /a} was renamed to {@code path}. */
    public static SortedMap<String, String> treeAt(String path) {
        return new TreeMap<>(Map.of(
                "a", path, "a1", path + "/1", "a2", path + "/2", "ad", path + "/d", "ad1", path + "/d/1", "ab", "/ab"));
    }

    public SortedMap<String, String> paths() {
        return tree.paths(FILES);
    }

    public Stores stores() {
        return stores(calls.around(TreeStore.class, tree));
    }

    public Stores stores(TreeStore instead) {
        return new Stores(
                namespaces,
                calls.around(Journal.class, journal),
                calls.around(LockStore.class, locks),
                instead,
                calls.around(Outcomes.class, outcomes));
    }

    public ProcessContext context(String processId) {
        Backoff.Factory backoffs = new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(100)));
        return new ProcessContext(processId, time, backoffs, LOCK_WAIT, 10, stop);
    }

    public Completion completion(String processId) {
        Stores stores = stores();
        return new Completion(stores, context(processId), new LockWatch(stores.locks()));
    }

    /** Creates a process document with this id and this state. */
    public void process(String processId, ProcessState state) {
        ProcessId id = new ProcessId(processId);
        ProcessDocument live =
                ProcessDocument.live(id, "service", "host", LEASE, time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID);
        processes.create(live);
        if (state != ProcessState.LIVE) {
            processes.write(live.in(state), processes.read(id).orElseThrow().version());
        }
    }

    public JournalEntry entry(String requestId) {
        return journal.read(requestId).map(Versioned::value).orElseThrow();
    }

    /** Returns the outcome of a request. Fails if no outcome was published, or if different outcomes were published. */
    public Outcome outcome(String requestId) {
        List<String> published = outcomes.of(requestId);
        assertThat(published).hasSize(1);
        return OutcomeCodec.decode(published.getFirst());
    }

    /**
     * Prepares the rename {@code other} of {@code source} to {@code destination}. The process {@code worker-9} owns the
     * rename. The rename holds its locks until a test ends the rename.
     */
    public Hold heldByAnother(String source, String destination) {
        Delivery delivery = Deliveries.of(
                Deliveries.rename("other", "files", source, destination), 0, Deliveries.APPENDED.minusSeconds(9));
        Hold hold = new Hold("hold-of-other", "worker-9", delivery.age());
        journal.prepare(new Attempt(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(delivery, new Ownership("worker-9", 1, "hold-of-other")),
                null,
                null,
                hold,
                LockSet.tree("files", new TreePath(source), new TreePath(destination))));
        return hold;
    }

    /**
     * Plans the release of the locks of the rename {@code other} after the time {@code free}. The rename acquires these
     * locks again just before the next call of {@code journal.prepare} takes effect.
     */
    public void otherHoldsAgainAfter(Duration free, Hold other, String source, String destination) {
        LockSet ofOther = LockSet.tree("files", new TreePath(source), new TreePath(destination));
        time.plan(free, () -> {
            locks.release(ofOther, Release.ofHold(other.holdId()));
            calls.interfere(new Interference() {
                @Override
                public void before(Call call) {
                    if (call.name().equals("journal.prepare")) {
                        locks.take(ofOther, other);
                        calls.interfere(Interference.none());
                    }
                }
            });
        });
    }

    /** Ends the rename {@code other} as rejected, releases its locks, and closes its entry. */
    public void otherEnds(String source, String destination) {
        Versioned<JournalEntry> found = journal.read("other").orElseThrow();
        JournalEntry rejected = found.value().ended(State.REJECTED, new Ending(time.now(), "{\"of\":\"other\"}"));
        journal.write(JournalStep.END, rejected, found.version());
        locks.release(
                LockSet.tree("files", new TreePath(source), new TreePath(destination)),
                found.value().releaseOfAll());
        Versioned<JournalEntry> ended = journal.read("other").orElseThrow();
        journal.write(JournalStep.CLOSE, ended.value().closed(), ended.version());
    }

    /** Returns the paths of all held locks. */
    public SortedSet<String> heldPaths() {
        return locks.tables().stream()
                .flatMap(table -> table.holds().values().stream())
                .flatMap(held -> held.paths().keySet().stream())
                .map(TreePath::text)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Asserts that no lock is held or claimed, and that every entry is closed. */
    public void assertQuiet() {
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.entries())
                .allSatisfy(entry -> assertThat(entry.state())
                        .describedAs("state of %s", entry.requestId())
                        .isEqualTo(State.CLOSED));
    }
}
