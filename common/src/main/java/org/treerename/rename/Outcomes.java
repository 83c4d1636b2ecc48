package org.treerename.rename;

/** Where outcomes are published. */
public interface Outcomes {

    /**
     * Publishes an outcome's text and returns when the log has acknowledged it. Twice does no harm.
     *
     * @throws org.treerename.store.NoAnswerException if it is not known whether it was taken
     */
    void publish(String requestId, String outcome);
}
