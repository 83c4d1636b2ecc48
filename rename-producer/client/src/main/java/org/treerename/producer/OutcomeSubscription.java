package org.treerename.producer;

import java.time.Duration;

/** The subscription of one listener to outcomes. Any thread may call this interface. */
public interface OutcomeSubscription extends AutoCloseable {

    /**
     * Returns whether the listener still receives outcomes. Returns false after a close, and after the listener has
     * thrown an {@link Error}.
     */
    boolean isRunning();

    /** Ends the subscription, see {@link #close(Duration)}. Waits for at most ten seconds. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Ends the subscription. Waits until the running call of the listener has returned, but not longer than the
     * timeout. After the timeout, the running call continues, and no further call follows. The outcome of a call that
     * has returned does not arrive again in the same group. The listener itself may call this method; then this method
     * returns at once.
     */
    void close(Duration timeout);
}
