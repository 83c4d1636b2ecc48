package org.treerename.process;

import java.time.Instant;
import java.util.Optional;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Whether a process is live no more, told by an acknowledged write. A read does not tell it: a node that is cut off from
 * the others may not have the document yet, or may show a fence that was never acknowledged. Any thread may call it.
 */
public final class Liveness {

    private Liveness() {}

    /**
     * Whether a process has ended. One without a document has; that of a fenced one is put in its place.
     *
     * @param now for people
     * @throws NoAnswerException if it is not known; it may be asked again
     */
    public static boolean hasEnded(ProcessStore store, ProcessId id, Instant now) {
        Optional<Versioned<ProcessDocument>> found = store.read(id);
        if (found.isPresent() && found.get().value().state() == ProcessState.LIVE) {
            return false;
        }
        if (!isCertain(store, found, ProcessDocument.neverSeen(id, now))) {
            throw new NoAnswerException("the document of " + id + " is not as it was read", null);
        }
        return true;
    }

    /**
     * Makes sure of what a read has shown; false where it was not so, or is not so any more.
     *
     * @param found the document of a process that is not live, or none
     * @param fenced is created where there is none
     */
    static boolean isCertain(ProcessStore store, Optional<Versioned<ProcessDocument>> found, ProcessDocument fenced) {
        WriteResult result = found.map(
                        ended -> store.write(ended.value().in(ended.value().state()), ended.version()))
                .orElseGet(() -> store.create(fenced));
        return result instanceof WriteResult.Written;
    }
}
