package org.treerename.process;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The store of the process documents. Each call may throw {@link org.treerename.store.NoAnswerException}. */
public interface ProcessStore {

    /** Creates a document. Returns a conflict if the document already exists. */
    WriteResult create(ProcessDocument document);

    /** Writes a document if its stored version is still {@code seen}; otherwise returns a conflict. */
    WriteResult write(ProcessDocument document, Version seen);

    Optional<Versioned<ProcessDocument>> read(ProcessId id);

    /**
     * Reads the documents of several processes, in one request if the store can do so. Processes without a document are
     * left out.
     */
    default List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return ids.stream().flatMap(id -> read(id).stream()).toList();
    }

    /**
     * Searches after a refresh, and returns the ids of the processes in the given state. A caller must base its
     * decision on {@link #read}, not on this list.
     */
    List<ProcessId> ids(ProcessState state);

    /**
     * Searches after a refresh, and returns the documents in the given state. A store that knows the protocol version
     * of each document leaves out the documents with a later version than its own.
     */
    default List<ProcessDocument> in(ProcessState state) {
        return ids(state).stream()
                .flatMap(id -> read(id).stream())
                .map(Versioned::value)
                .filter(document -> document.state() == state)
                .toList();
    }

    /** Deletes a document if its stored version is still {@code seen}; otherwise returns a conflict. */
    WriteResult delete(ProcessId id, Version seen);

    /** Returns the uuid of the control index. A re-created index has another uuid. */
    String controlIndexUuid();
}
