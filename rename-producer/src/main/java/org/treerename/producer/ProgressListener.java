package org.treerename.producer;

import org.treerename.rename.RenameProgress;

/**
 * Is told what becomes of one request before its outcome. Its methods are called one after the other, on virtual threads of
 * which none but its own waits for it; what it throws is logged. A last call may come while the outcome's future ends.
 */
public interface ProgressListener {

    /** Kafka has the request safely: from now on it will be carried out or rejected. */
    default void acknowledged() {}

    /**
     * The rename is decided, and {@code moved} of {@code expected} documents have moved. The process that moves them reports a rename of
     * 1,000 documents or more at its commit, and then each second. Reports may be missing: the last ones, some, or all of them,
     * for example if the rename is small and takes less than a second, or if there is no topic {@code rename.progress}.
     */
    default void progressed(RenameProgress progress) {}
}
