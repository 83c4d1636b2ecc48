package org.treerename.producer.direct;

import org.treerename.producer.ProgressListener;

/**
 * Receives the progress of one direct rename. The thread that runs the rename calls the methods, so a slow method delays
 * the rename. There is no call of {@link #acknowledged}, because no request is sent to Kafka.
 */
public interface DirectListener extends ProgressListener {

    /** Called when other requests hold a lock that the rename needs, and the rename waits for it. */
    default void waiting() {}
}
