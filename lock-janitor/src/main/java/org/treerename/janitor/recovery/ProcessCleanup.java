package org.treerename.janitor.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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
        Instant limit = time.now().minus(retention);
        List<ProcessId> old = Stream.of(ProcessState.FENCED, ProcessState.STOPPED)
                .flatMap(state -> processes.in(state).stream())
                .filter(process -> process.isOver(limit))
                .map(ProcessDocument::id)
                .toList();
        int deleted = 0;
        if (!old.isEmpty()) {
            Set<String> owners = journal.owners(State.needingOwner());
            for (int from = 0; from < old.size(); from += DeathWatch.BATCH) {
                deleted += delete(old.subList(from, Math.min(from + DeathWatch.BATCH, old.size())), owners, limit);
            }
        }
        return deleted;
    }

    private int delete(List<ProcessId> old, Set<String> owners, Instant limit) {
        int deleted = 0;
        for (Versioned<ProcessDocument> process : processes.read(old)) {
            ProcessId id = process.value().id();
            if (process.value().isOver(limit)
                    && !owners.contains(id.text())
                    && processes.delete(id, process.version()) instanceof WriteResult.Written) {
                log.info(
                        "process {}: deleted its process document (state: {}), because its retention time has ended",
                        id,
                        process.value().state().stored());
                deleted++;
            }
        }
        return deleted;
    }
}
