package org.treerename.producer.writer;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.LockBooks;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockStore;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Namespaces;
import org.treerename.process.Heartbeat;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.ProcessContext;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;

/**
 * A writer process with stores in memory. A test can interfere with the heartbeats, the entries and the releases of the
 * process.
 */
abstract class WriterFixture {

    static final Lease LEASE = new Lease(Duration.ofSeconds(30));
    static final ProcessId ID = new ProcessId("writer-1");
    private static final WriteTarget INTO_A = new WriteTarget("files", List.of("/a"));

    final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    final InMemoryLockStore locks = new InMemoryLockStore(control);
    final InMemoryJournal journal = new InMemoryJournal(control, locks);
    final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    final Calls heartbeats = new Calls(Interference.none());
    final StopSignal stop = new StopSignal();
    final Incarnation incarnation = new Incarnation(
            Heartbeat.begin(
                    heartbeats.around(ProcessStore.class, processes),
                    ProcessDocument.live(
                            ID, "writer", "host", LEASE.length(), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID)),
            LEASE,
            time,
            stop,
            sentNanos -> {});
    private final ProcessContext context = new ProcessContext(
            ID.text(),
            time,
            new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(100))),
            Duration.ZERO,
            2,
            stop);
    final Calls releases = new Calls(Interference.none());
    final Calls entries = new Calls(Interference.none());
    final WriterProcess process = new WriterProcess(
            new WriteLocks(
                    LockBooks.of(
                            namespaces(),
                            entries.around(Journal.class, journal),
                            releases.around(LockStore.class, locks)),
                    context),
            context,
            Runnable::run);

    private static Namespaces namespaces() {
        Namespaces namespaces = new InMemoryNamespaces();
        namespaces.define(Namespace.ofFiles("files", "files"));
        return namespaces;
    }

    WriteHold acquire() {
        return process.take(INTO_A, Duration.ofSeconds(10), stop.part());
    }
}
