package org.treerename.process;

import java.util.List;
import java.util.Optional;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/** The process documents. Any thread may call it; each call may throw {@link org.treerename.store.NoAnswerException}. */
public interface ProcessStore {

    /** Writes a document that was not there. */
    WriteResult create(ProcessDocument document);

    /** Writes it if it is still in the version {@code seen}. */
    WriteResult write(ProcessDocument document, Version seen);

    Optional<Versioned<ProcessDocument>> read(ProcessId id);

    /** The processes in a state, as a search after a refresh shows them; decide by {@link #read}. */
    List<ProcessId> ids(ProcessState state);

    /** The documents in a state, likewise; those of a later protocol are left out where the store can tell. */
    default List<ProcessDocument> in(ProcessState state) {
        return ids(state).stream()
                .flatMap(id -> read(id).stream())
                .map(Versioned::value)
                .filter(document -> document.state() == state)
                .toList();
    }

    /** Deletes it if it is still in the version {@code seen}. */
    WriteResult delete(ProcessId id, Version seen);

    /** The uuid of the control index itself, which a re-created one does not share. */
    String controlIndexUuid();
}
