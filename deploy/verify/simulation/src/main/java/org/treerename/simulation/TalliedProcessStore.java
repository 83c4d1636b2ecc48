package org.treerename.simulation;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Passes calls to a process store, and counts the version conflicts in its answers. */
record TalliedProcessStore(ProcessStore processes, Stage stage) implements ProcessStore {

    @Override
    public WriteResult create(ProcessDocument document) {
        return processes.create(document);
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        WriteResult result = processes.write(document, seen);
        if (result instanceof WriteResult.Conflict) {
            Happening conflict = document.state() == ProcessState.FENCED
                    ? Happening.CONFLICT_AT_FENCE
                    : Happening.CONFLICT_AT_HEARTBEAT;
            stage.happened(
                    conflict, stage.scheduler().current().actor().name(), () -> "gets a version conflict: " + conflict);
        }
        return result;
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return processes.read(id);
    }

    @Override
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return processes.read(ids);
    }

    @Override
    public List<ProcessDocument> in(ProcessState state) {
        return processes.in(state);
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
