package org.treerename.producer.direct;

import org.treerename.producer.ProgressListener;

/**
 * Receives the progress of one direct rename. The thread that runs the rename calls the methods of the listener, so a
 * slow method delays the rename. {@link #acknowledged} is never called, because no request is sent to Kafka.
 */
public interface DirectListener extends ProgressListener {

    /** Receives a call each time a lock or a claim of another request makes the rename wait. */
    default void waiting() {}
}
