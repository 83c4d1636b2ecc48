package org.treerename.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.rename.Journal;
import org.treerename.rename.Journal.Attempt;
import org.treerename.rename.Journal.Prepared;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.JournalEntry.Waiting;
import org.treerename.rename.OnExisting;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.rename.RecordPosition;
import org.treerename.rename.State;
import org.treerename.store.WriteResult;

/**
 * This engine's stores, connected as a worker connects them, so that those who lock at the same moment share requests. As in
 * every rename, the attempt that takes the locks also writes the journal entry and reads the watermark.
 */
final class EngineLocks implements Locking, AutoCloseable {

    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final String PROCESS = "worker-of-the-benchmark";

    private final Es es;
    private final Elastic elastic;
    private final Journal journal;
    private final LockStore locks;
    private final AtomicLong offsets = new AtomicLong();

    EngineLocks(Stage stage) {
        es = stage.es();
        elastic = Elastic.connect(Elastic.Settings.of(stage.elasticsearchUrl(), REQUEST))
                .behindCircuit();
        ControlIndex control = new ControlIndex(elastic);
        journal = new ElasticJournal(control);
        locks = new ElasticLockStore(control);
    }

    @Override
    public String name() {
        return "tree rename";
    }

    @Override
    public void takeAndGiveBack(TreeLocks asked, Runnable whileHeld) {
        LockSet set = LockSet.tree(asked.namespace(), new TreePath(asked.source()), new TreePath(asked.destination()));
        boolean taken = false;
        while (!taken) {
            Attempt attempt = attempt(asked, set);
            Prepared prepared = journal.prepare(attempt);
            taken = prepared.taken() && !prepared.expired() && prepared.entry() instanceof WriteResult.Written;
            if (taken) {
                whileHeld.run();
            }
            locks.release(
                    set,
                    Release.ofRequest(
                            attempt.entry().requestId(), Set.of(attempt.hold().holdId())));
        }
    }

    private Attempt attempt(TreeLocks asked, LockSet set) {
        String requestId = UUID.randomUUID().toString();
        String holdId = UUID.randomUUID().toString();
        RenameRequest request = new RenameRequest(
                requestId, asked.namespace(), asked.source(), asked.destination(), OnExisting.FAIL, "benchmark");
        JournalEntry entry = new JournalEntry(
                requestId,
                request,
                "benchmark",
                "digest",
                new RecordPosition("tree-rename-benchmark", 0, offsets.getAndIncrement()),
                Instant.EPOCH,
                State.PREPARED,
                new Ownership(PROCESS, 1, holdId),
                new Waiting(0, null, null),
                new Progress(0, 0, 0),
                null,
                null,
                null,
                null,
                0);
        return new Attempt(entry, null, null, new Hold(holdId, PROCESS, entry.age()), set);
    }

    /** Its entries go: a janitor would take them for those of a dead process. */
    @Override
    public void close() {
        elastic.close();
        es.post(ControlIndex.NAME + "/_refresh", "").orThrow();
        es.post(
                        ControlIndex.NAME + "/_delete_by_query?refresh=true&conflicts=proceed",
                        "{\"query\":{\"term\":{\"kind\":\"rename\"}}}")
                .orThrow();
    }
}
