package org.treerename.process;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Versioned;

/**
 * Simulates reads from a node that is cut off from the other nodes. The next reads return stale documents, which a test
 * has planned. Writes reach the wrapped store.
 */
public final class StaleProcessStore implements ForwardingProcessStore {

    private final ProcessStore store;
    private final Deque<Optional<Versioned<ProcessDocument>>> answers = new ArrayDeque<>();

    public StaleProcessStore(ProcessStore store) {
        this.store = store;
    }

    @Override
    public ProcessStore processes() {
        return store;
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
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return ids.stream().flatMap(id -> read(id).stream()).toList();
    }
}
