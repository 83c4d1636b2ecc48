package org.treerename.crash;

import java.util.List;
import java.util.Optional;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Calls {@link CrashPoints#reach} after a process was fenced. */
final class CrashingProcessStore implements ProcessStore {

    private final ProcessStore processes;
    private final CrashPoints points;

    CrashingProcessStore(ProcessStore processes, CrashPoints points) {
        this.processes = processes;
        this.points = points;
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        return processes.create(document);
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        WriteResult result = processes.write(document, seen);
        if (document.state() == ProcessState.FENCED && result instanceof WriteResult.Written) {
            points.reach(CrashPoint.AFTER_FENCE);
        }
        return result;
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return processes.read(id);
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return processes.ids(state);
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return processes.delete(id, seen);
    }

    @Override
    public String controlIndexUuid() {
        return processes.controlIndexUuid();
    }
}
