package org.treerename.producer.direct;

import org.treerename.producer.ProgressListener;

/**
 * Receives the progress of one direct rename. The thread that runs the rename calls the methods of the listener, so a
 * slow method delays the rename. {@link #acknowledged} is never called, because no request is sent to Kafka.
 */
public interface DirectListener extends ProgressListener {

    /** Receives the event that the rename waits for a lock of another request. */
    default void waiting() {}
}
