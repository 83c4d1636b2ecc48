package org.treerename.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Simulates reads from a node that is cut off from the other nodes. The next reads return stale documents, which a test
 * has planned. Writes reach the wrapped store.
 */
public final class StaleProcessStore implements ProcessStore {

    private final ProcessStore store;
    private final Deque<Optional<Versioned<ProcessDocument>>> answers = new ArrayDeque<>();

    public StaleProcessStore(ProcessStore store) {
        this.store = store;
    }

    /** Plans the answer to the next read that has no planned answer yet. */
    public void willShow(Optional<Versioned<ProcessDocument>> answer) {
        answers.add(answer);
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return answers.isEmpty() ? store.read(id) : answers.remove();
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        return store.create(document);
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        return store.write(document, seen);
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return store.ids(state);
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return store.delete(id, seen);
    }

    @Override
    public String controlIndexUuid() {
        return store.controlIndexUuid();
    }
}
