package org.treerename.local;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.janitor.audit.Audit;
import org.treerename.janitor.audit.Auditor;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;

/** Reads the control index of the demo's stack. */
final class DemoControl implements AutoCloseable {

    private static final Duration REQUEST = Duration.ofSeconds(30);
    private static final Duration PROCESS_RETENTION = Duration.ofDays(1);

    private final Elastic elastic;
    private final Journal journal;
    private final ProcessStore processes;
    private final Auditor auditor;

    DemoControl(String elasticsearchUrl, Time time) {
        elastic = Elastic.connect(Elastic.Settings.of(elasticsearchUrl, REQUEST));
        ControlIndex control = new ControlIndex(elastic);
        journal = new ElasticJournal(control);
        processes = new ElasticProcessStore(control);
        auditor = new Auditor(
                LockBooks.of(new ElasticNamespaces(elastic, control), journal, new ElasticLockStore(control)),
                processes,
                time,
                PROCESS_RETENTION);
    }

    Optional<JournalEntry> entry(String requestId) {
        return journal.read(requestId).map(Versioned::value);
    }

    ProcessState stateOf(String processId) {
        return processes
                .read(new ProcessId(processId))
                .orElseThrow(
                        () -> new IllegalStateException("expected a process document of " + processId + ", found none"))
                .value()
                .state();
    }

    List<Audit.Finding> audit() {
        return auditor.audit();
    }

    @Override
    public void close() {
        elastic.close();
    }
}
