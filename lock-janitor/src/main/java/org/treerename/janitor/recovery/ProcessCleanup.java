package org.treerename.janitor.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal;
import org.treerename.journal.State;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Deletes the documents of ended processes after their retention time. Before the deletion, operators can read the
 * documents. No program needs these documents. A process without a document is not live, and a fenced process that
 * continues finds no document and stops. Only one thread calls this class. If the janitor dies during a call, the next
 * call deletes the remaining documents.
 */
public final class ProcessCleanup {

    private static final Logger log = LoggerFactory.getLogger(ProcessCleanup.class);

    private final Journal journal;
    private final ProcessStore processes;
    private final Time time;
    private final Duration retention;

    /**
     * @param retention a document is deleted this long after the start of its process, by the wall clock. If the clock
     *     is wrong, documents are deleted earlier or later, which is harmless
     */
    public ProcessCleanup(Journal journal, ProcessStore processes, Time time, Duration retention) {
        this.journal = journal;
        this.processes = processes;
        this.time = time;
        this.retention = retention;
    }

    /**
     * Deletes the documents that are older than the retention time, except the documents of processes that own an
     * unfinished rename. Returns the number of deleted documents.
     */
    public int deleteOldProcesses() {
        List<Versioned<ProcessDocument>> old = old(time.now().minus(retention));
        if (old.isEmpty()) {
            return 0;
        }
        Set<String> owners = owners();
        int deleted = 0;
        for (Versioned<ProcessDocument> process : old) {
            ProcessId id = process.value().id();
            if (!owners.contains(id.text()) && processes.delete(id, process.version()) instanceof WriteResult.Written) {
                log.info(
                        "process {}: deleted its process document (state: {}), because its retention time has ended",
                        id,
                        process.value().state().stored());
                deleted++;
            }
        }
        return deleted;
    }

    private List<Versioned<ProcessDocument>> old(Instant limit) {
        return List.of(ProcessState.FENCED, ProcessState.STOPPED).stream()
                .flatMap(state -> processes.ids(state).stream())
                .map(processes::read)
                .flatMap(Optional::stream)
                .filter(process -> process.value().isOver(limit))
                .toList();
    }

    private Set<String> owners() {
        Set<String> owners = new HashSet<>();
        for (String requestId : journal.in(State.needingOwner())) {
            journal.read(requestId)
                    .ifPresent(entry -> owners.add(entry.value().ownership().processId()));
        }
        return owners;
    }
}
