package org.treerename.janitor.recovery;

import java.util.Optional;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Fences a process on request of an operator, even if the process still sends heartbeats. An operator fences a process,
 * for example, if a thread of the process is stuck. Any thread may call this class.
 *
 * <p>This class reads the process document, and fences the process by a conditional write on the version that was read.
 * If the process wrote a heartbeat between the read and the write, this class reads and writes again. After the fence,
 * the janitors take over the renames of the process, because the process is no longer live. The process detects the
 * fence at its next heartbeat. Until this heartbeat, the process makes only writes that the new owners of its renames
 * also make.
 */
public final class Fence {

    /**
     * The maximum number of tries. A try fails if the process sends a heartbeat between the read and the write.
     * Heartbeats are too rare to make every try fail.
     */
    private static final int TRIES = 10;

    private final ProcessStore processes;

    public Fence(ProcessStore processes) {
        this.processes = processes;
    }

    /** The result of {@link #fence}. */
    public enum Result {
        FENCED,
        FENCED_BEFORE,
        /** The process had stopped by itself. */
        STOPPED_BEFORE,
        /** There is no process document. */
        UNKNOWN,
        /** In every try, the process document changed between the read and the write. The caller may try again. */
        NOT_FENCED
    }

    /**
     * Fences the process if it is live.
     *
     * @throws org.treerename.store.NoAnswerException if it is not known whether the process is fenced; the caller may
     *     try again
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
