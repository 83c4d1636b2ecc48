package org.treerename.process;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Calls;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A process store whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyProcessStore(ProcessStore store, Calls calls) implements ProcessStore {

    @Override
    public WriteResult create(ProcessDocument document) {
        return calls.write("processes.create", () -> store.create(document));
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        return calls.write("processes.write", () -> store.write(document, seen));
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return calls.read("processes.read", () -> store.read(id));
    }

    @Override
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return calls.read("processes.read", () -> store.read(ids));
    }

    @Override
    public List<ProcessDocument> in(ProcessState state) {
        return calls.read("processes.in", () -> store.in(state));
    }

    @Override
    public String controlIndexUuid() {
        return calls.read("processes.controlIndexUuid", store::controlIndexUuid);
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return calls.read("processes.ids", () -> store.ids(state));
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return calls.write("processes.delete", () -> store.delete(id, seen));
    }
}
