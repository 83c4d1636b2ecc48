package org.treerename.producer;

import org.treerename.request.RenameProgress;

/**
 * Receives reports about the progress of one request. The library calls the methods one after the other, on virtual
 * threads. A slow method delays only later calls of the same listener. If a method throws an exception, the library
 * logs the exception. The last call may run while the future of the outcome completes.
 */
public interface ProgressListener {

    /** Receives the report that Kafka has acknowledged the request. The request will be processed or rejected. */
    default void acknowledged() {}

    /**
     * Receives a report about a decided rename, with the number of moved documents and the number of expected
     * documents. A rename of 1,000 documents or more is reported at the commit. While documents move, a rename is
     * reported about once per second. Reports may begin up to a second late. If the request was sent before, a report
     * may be some seconds older than this request. Any report may be missing. For example, all reports are missing if a
     * small rename takes less than a second, or if there is no topic {@code rename.progress}.
     *
     * <p>If {@link RenameProgress#parked} is not null, the rename cannot continue until the cause is corrected, and its
     * outcome may arrive much later.
     */
    default void progressed(RenameProgress progress) {}
}
