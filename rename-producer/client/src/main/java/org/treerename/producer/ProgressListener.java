package org.treerename.producer;

import org.treerename.request.RenameProgress;

/**
 * Receives reports about the progress of one request. The library calls the methods one after the other, on virtual
 * threads. A slow method delays only later calls of the same listener. If a method throws an exception, the library
 * logs the exception. The last call may run while the future of the outcome completes.
 */
public interface ProgressListener {

    /** Reports that Kafka has acknowledged the request. The request will be processed or rejected. */
    default void acknowledged() {}

    /**
     * Receives a report after the rename is decided: {@code moved} of {@code expected} documents have moved. For a
     * rename of 1,000 documents or more, the process that moves the documents sends a report at the commit, and one
     * report each second after the commit. Any report may be missing. For example, all reports are missing if a small
     * rename takes less than a second, or if there is no topic {@code rename.progress}.
     */
    default void progressed(RenameProgress progress) {}
}
