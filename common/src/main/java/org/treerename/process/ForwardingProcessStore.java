package org.treerename.process;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** A decorator that forwards each call to another process store. */
public interface ForwardingProcessStore extends ProcessStore {

    ProcessStore processes();

    @Override
    default WriteResult create(ProcessDocument document) {
        return processes().create(document);
    }

    @Override
    default WriteResult write(ProcessDocument document, Version seen) {
        return processes().write(document, seen);
    }

    @Override
    default Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return processes().read(id);
    }

    @Override
    default List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return processes().read(ids);
    }

    @Override
    default List<ProcessId> ids(ProcessState state) {
        return processes().ids(state);
    }

    @Override
    default List<ProcessDocument> in(ProcessState state) {
        return processes().in(state);
    }

    @Override
    default WriteResult delete(ProcessId id, Version seen) {
        return processes().delete(id, seen);
    }

    @Override
    default String controlIndexUuid() {
        return processes().controlIndexUuid();
    }
}
