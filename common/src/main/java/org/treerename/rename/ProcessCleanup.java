package org.treerename.rename;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.Time;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Deletes the documents of processes that have ended, after a while in which people may want to look at them. Nothing rests
 * on them: a process without a document is not live, and one that is fenced and wakes finds none, which stops it, too. One
 * thread calls it; if we die in it, the next call goes on.
 */
public final class ProcessCleanup {

    private static final Logger log = LoggerFactory.getLogger(ProcessCleanup.class);

    private final Journal journal;
    private final ProcessStore processes;
    private final Time time;
    private final Duration ofProcesses;

    /**
     * @param ofProcesses since the start of the process, by the wall clock; a wrong clock deletes earlier or later, which
     *     harms nobody
     */
    public ProcessCleanup(Journal journal, ProcessStore processes, Time time, Duration ofProcesses) {
        this.journal = journal;
        this.processes = processes;
        this.time = time;
        this.ofProcesses = ofProcesses;
    }

    /** Deletes those that are old enough and that no unfinished rename names; how many. */
    public int deleteOldProcesses() {
        List<Versioned<ProcessDocument>> old = old(time.now().minus(ofProcesses));
        if (old.isEmpty()) {
            return 0;
        }
        Set<String> owners = owners();
        int deleted = 0;
        for (Versioned<ProcessDocument> process : old) {
            ProcessId id = process.value().id();
            if (!owners.contains(id.text()) && processes.delete(id, process.version()) instanceof WriteResult.Written) {
                log.info(
                        "deleted the document of {}, {}",
                        id,
                        process.value().state().stored());
                deleted++;
            }
        }
        return deleted;
    }

    private List<Versioned<ProcessDocument>> old(Instant since) {
        return List.of(ProcessState.FENCED, ProcessState.STOPPED).stream()
                .flatMap(state -> processes.ids(state).stream())
                .map(processes::read)
                .flatMap(Optional::stream)
                .filter(process -> process.value().isOver(since))
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
