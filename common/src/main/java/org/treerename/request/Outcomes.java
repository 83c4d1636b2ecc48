package org.treerename.request;

/** The log in which outcomes are published. */
public interface Outcomes {

    /**
     * Publishes the text of an outcome. Returns when the log has acknowledged the record. Publishing the same outcome
     * twice is harmless.
     *
     * @throws org.treerename.store.NoAnswerException if it is unknown whether the log has appended the outcome
     */
    void publish(String requestId, String outcome);
}
