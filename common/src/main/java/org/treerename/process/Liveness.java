package org.treerename.process;

import java.time.Instant;
import java.util.Optional;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Checks by an acknowledged write whether a process has ended. A read alone does not prove the end, because a cut-off
 * node may answer the read. This node may lack the document, or may show a fence that was never acknowledged. This
 * class never fences a process in the state live. The class {@code DeathWatch} of the janitor fences such a process,
 * after a lease without a heartbeat.
 */
public final class Liveness {

    private Liveness() {}

    /**
     * Returns whether a process has ended. A process without a document has ended. For this process, the method creates
     * a document in the state fenced.
     *
     * @param now the start time in the created document; for people
     * @throws NoAnswerException if the state is not known; the caller may try again
     */
    public static boolean hasEnded(ProcessStore store, ProcessId id, Instant now) {
        Optional<Versioned<ProcessDocument>> found = store.read(id);
        if (found.isPresent() && found.get().value().state() == ProcessState.LIVE) {
            return false;
        }
        if (!isCertain(store, found, ProcessDocument.neverSeen(id, now))) {
            throw new NoAnswerException(
                    "process " + id
                            + ": its process document was changed after the read, so the read does not prove that the"
                            + " process has ended",
                    null);
        }
        return true;
    }

    /**
     * Confirms the result of a read by a conditional write. Returns false if the document has changed since the read.
     *
     * @param found the document of a process that is not live; empty if the read found no document
     * @param fenced the document that is created if the read found no document
     */
    static boolean isCertain(ProcessStore store, Optional<Versioned<ProcessDocument>> found, ProcessDocument fenced) {
        WriteResult result = found.map(
                        ended -> store.write(ended.value().in(ended.value().state()), ended.version()))
                .orElseGet(() -> store.create(fenced));
        return result instanceof WriteResult.Written;
    }
}
