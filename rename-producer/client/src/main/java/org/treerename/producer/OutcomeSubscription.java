package org.treerename.producer;

import java.time.Duration;

/** The subscription of one listener to outcomes. Any thread may call this interface. */
public interface OutcomeSubscription extends AutoCloseable {

    /**
     * Returns whether the listener still receives outcomes. Returns false after the subscription was closed, or after
     * the listener has thrown an {@link Error}.
     */
    boolean isRunning();

    /** Ends the subscription as {@link #close(Duration)} does, with a timeout of ten seconds. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Ends the subscription. Waits until the running call of the listener has returned, but not longer than the
     * timeout. A call that runs longer than the timeout continues, and no further call follows. If a call has returned
     * normally, the consumer group does not receive the outcome of this call again. If the listener itself calls this
     * method, the method returns at once.
     */
    void close(Duration timeout);
}
