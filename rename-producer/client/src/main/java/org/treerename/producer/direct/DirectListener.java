package org.treerename.producer.direct;

import org.treerename.producer.ProgressListener;

/**
 * Receives the progress of one direct rename. The thread that runs the rename calls the methods, so a slow method
 * delays the rename. The rename does not call {@link #acknowledged}, because no request is sent to Kafka.
 */
public interface DirectListener extends ProgressListener {

    /** Receives the event that the rename waits for a lock of another request. */
    default void waiting() {}
}
