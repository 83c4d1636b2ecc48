package org.treerename.producer;

import org.treerename.request.RenameProgress;

/**
 * Receives the progress of one request before its outcome. The library calls the methods one after the other, on
 * virtual threads. A slow method delays only later calls of the same listener. An exception is logged. The last call
 * may run while the future of the outcome completes.
 */
public interface ProgressListener {

    /** Receives the acknowledgement of Kafka. The request will then be processed or rejected. */
    default void acknowledged() {}

    /**
     * Receives a report after the rename is decided: {@code moved} of {@code expected} documents have moved. For a
     * rename of 1,000 documents or more, the moving process sends a report at the commit, and then each second. Any
     * report may be missing. For example, all reports are missing if a small rename takes less than a second, or if
     * there is no topic {@code rename.progress}.
     */
    default void progressed(RenameProgress progress) {}
}
