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
     * Documents are being moved: {@code moved} of {@code expected}. Told at most once a second, by whichever process moves
     * them, and as well as it goes: some may be missing, also all of them, as where the rename takes less than a second or
     * there is no topic {@code rename.progress}.
     */
    default void progressed(RenameProgress progress) {}
}
