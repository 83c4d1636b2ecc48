package org.treerename.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.journal.Journal;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.Journal.Prepared;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.store.WriteResult;

/**
 * The locks of tree rename. The stores are connected to Elasticsearch as in a worker. So threads that acquire locks at
 * the same moment share requests to Elasticsearch. As in every rename, the request that acquires the locks also writes
 * the journal entry and reads the watermark.
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
    public List<Role> roles() {
        return Costs.PEER;
    }

    @Override
    public void acquireAndRelease(TreeLocks requested, Runnable whileHeld) {
        LockSet set = LockSet.tree(
                requested.namespace(), new TreePath(requested.source()), new TreePath(requested.destination()));
        boolean acquired = false;
        while (!acquired) {
            Attempt attempt = attempt(requested, set);
            Prepared prepared = journal.prepare(attempt);
            acquired = prepared.taken() && !prepared.expired() && prepared.entry() instanceof WriteResult.Written;
            if (acquired) {
                whileHeld.run();
            }
            locks.release(
                    set,
                    Release.ofRequest(
                            attempt.entry().requestId(), Set.of(attempt.hold().holdId())));
        }
    }

    private Attempt attempt(TreeLocks requested, LockSet set) {
        String requestId = UUID.randomUUID().toString();
        String holdId = UUID.randomUUID().toString();
        RenameRequest request = new RenameRequest(
                requestId,
                requested.namespace(),
                requested.source(),
                requested.destination(),
                OnExisting.FAIL,
                "benchmark");
        JournalEntry entry = JournalEntry.prepared(
                new Delivery(
                        request,
                        "digest",
                        new RecordPosition("tree-rename-benchmark", 0, offsets.getAndIncrement()),
                        Instant.EPOCH),
                new Ownership(PROCESS, 1, holdId));
        return new Attempt(JournalStep.ATTEMPT, entry, null, null, new Hold(holdId, PROCESS, entry.age()), set);
    }

    /**
     * Deletes all journal entries. Otherwise a janitor would treat the entries of this benchmark as entries of a dead
     * process.
     */
    @Override
    public void close() {
        elastic.close();
        es.post(Installation.DEFAULT.controlIndex() + "/_refresh", "").orThrow();
        es.post(
                        Installation.DEFAULT.controlIndex() + "/_delete_by_query?refresh=true&conflicts=proceed",
                        "{\"query\":{\"term\":{\"kind\":\"rename\"}}}")
                .orThrow();
    }
}
