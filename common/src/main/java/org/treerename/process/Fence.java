package org.treerename.process;

import java.util.Optional;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Ends a process by the hand of somebody who knows that it does no good any more, though its heartbeat may move: a thread of it is
 * stuck, say. A conditional write on its process document in the version that was read; where a heartbeat comes in between, it is
 * read and written again. What the process holds is taken over by the janitors, as of any process that is not live; it notices with
 * its next heartbeat, and until then writes nothing that its rename's new owner would not write alike. Any thread may call it.
 */
public final class Fence {

    /** More heartbeats than come in between by chance. */
    private static final int TRIES = 10;

    private final ProcessStore processes;

    public Fence(ProcessStore processes) {
        this.processes = processes;
    }

    /** What became of it. */
    public enum Result {
        FENCED,
        FENCED_BEFORE,
        /** It had stopped by itself. */
        STOPPED_BEFORE,
        /** There is no process document. */
        UNKNOWN,
        /** Its document was written each time between the reading and the writing; it may be tried again. */
        NOT_FENCED
    }

    /**
     * Fences it if it is live.
     *
     * @throws org.treerename.store.NoAnswerException if it is not known whether it is fenced; it may be called again
     */
    public Result fence(ProcessId id) {
        for (int i = 0; i < TRIES; i++) {
            Optional<Versioned<ProcessDocument>> found = processes.read(id);
            if (found.isEmpty()) {
                return Result.UNKNOWN;
            }
            ProcessDocument document = found.get().value();
            switch (document.state()) {
                case FENCED -> {
                    return Result.FENCED_BEFORE;
                }
                case STOPPED -> {
                    return Result.STOPPED_BEFORE;
                }
                case LIVE -> {
                    ProcessDocument fenced = document.in(ProcessState.FENCED);
                    if (processes.write(fenced, found.get().version()) instanceof WriteResult.Written) {
                        return Result.FENCED;
                    }
                }
            }
        }
        return Result.NOT_FENCED;
    }
}
