package org.treerename.endtoend;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.treerename.checker.LockDump;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.journal.Delivery;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;
import org.treerename.runtime.SystemTime;
import org.treerename.testservers.TestServers;

/**
 * Acquires a lock in the name of a process that does not run, and writes the journal entry of a request that owns the
 * lock.
 */
final class Holding {

    /** The age of each request: more than an hour, and less than the retention of the journal. */
    private static final Duration AGE = Duration.ofHours(2);

    private Holding() {}

    static void of(String namespace, String path, String requestId) {
        of(namespace, path, requestId, "another-process");
    }

    /** Acquires a lock for a process with a lease of one hour. During a test, no janitor fences this process. */
    static void ofLiveProcess(String namespace, String path, String requestId) {
        with(control -> {
            ElasticProcessStore processes = new ElasticProcessStore(control);
            processes.create(ProcessDocument.live(
                    new ProcessId(processOf(requestId)),
                    "holder",
                    "here",
                    Duration.ofHours(1),
                    Instant.EPOCH,
                    processes.controlIndexUuid()));
        });
        of(namespace, path, requestId, processOf(requestId));
    }

    private static String processOf(String requestId) {
        return "holder-" + requestId;
    }

    private static void of(String namespace, String path, String requestId, String owner) {
        LockPriority age = new LockPriority(0, requestId);
        JournalEntry entry = JournalEntry.prepared(
                new Delivery(
                        new ParsedRequest.InvalidRequest(requestId, null, "the request of a test"),
                        "digest",
                        new RecordPosition("holding", 0, 0),
                        new SystemTime().now().minus(AGE)),
                new Ownership(owner, 1, holdOf(requestId)));
        with(control -> new ElasticJournal(control)
                .prepare(new Journal.Attempt(
                        JournalStep.ATTEMPT,
                        entry,
                        null,
                        null,
                        new Hold(holdOf(requestId), owner, age),
                        set(namespace, path))));
    }

    /**
     * Releases a lock and closes the journal entry, but does not delete the entry. After a deletion, a janitor that has
     * just read the hold would create a placeholder entry.
     */
    static void release(String namespace, String path, String requestId) {
        with(control -> {
            new ElasticLockStore(control).release(set(namespace, path), Release.ofHold(holdOf(requestId)));
            Es.post("/tree-rename-control/_update/rename:" + requestId + "?refresh=true&retry_on_conflict=5", """
                    {"doc": {"state": "closed", "hold_id": null}}""");
            Es.send("DELETE", "/tree-rename-control/_doc/process:" + processOf(requestId), "");
        });
    }

    private static LockSet set(String namespace, String path) {
        return new LockSet(namespace, new TreeMap<>(Map.of(new TreePath(path), LockMode.EXCLUSIVE)));
    }

    /** Returns the ids of the holds on a path. */
    static List<String> holdsAt(String namespace, String path) {
        return Elasticsearch.SHARED.locks().holds().stream()
                .filter(hold -> hold.namespace().equals(namespace))
                .filter(hold -> hold.path().equals(path))
                .map(LockDump.Hold::holdId)
                .toList();
    }

    /** Returns the hold id that this class uses for a request. */
    static String holdOf(String requestId) {
        return "hold-" + requestId;
    }

    private static void with(Consumer<ControlIndex> use) {
        try (Elastic elastic =
                Elastic.connect(Elastic.Settings.of(TestServers.elasticsearchUrl(), Duration.ofSeconds(30)))) {
            use.accept(new ControlIndex(elastic));
        }
    }
}
