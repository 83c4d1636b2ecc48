package org.treerename.process;

import java.util.List;
import java.util.Optional;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** Stores process documents in an {@link InMemoryControlIndex}. */
public final class InMemoryProcessStore implements ProcessStore {

    public static final String CONTROL_INDEX_UUID = "control-index-in-memory";

    private final InMemoryControlIndex control;

    public InMemoryProcessStore(InMemoryControlIndex control) {
        this.control = control;
    }

    private static String id(ProcessId id) {
        return "process:" + id;
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        return control.create(id(document.id()), document);
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        return control.write(id(document.id()), seen, document);
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return control.read(id(id), ProcessDocument.class);
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return control.all(ProcessDocument.class).stream()
                .filter(document -> document.state() == state)
                .map(ProcessDocument::id)
                .toList();
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return control.delete(id(id), seen);
    }

    @Override
    public String controlIndexUuid() {
        return CONTROL_INDEX_UUID;
    }
}
