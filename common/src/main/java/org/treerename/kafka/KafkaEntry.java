package org.treerename.kafka;

import org.apache.kafka.common.errors.AuthenticationException;
import org.treerename.store.NoAnswerException;

/**
 * Converts Kafka's exception for a failed authentication into a {@link NoAnswerException}. An authentication fails if
 * Kafka rejects the client, or if the client does not trust Kafka.
 */
public final class KafkaEntry {

    private KafkaEntry() {}

    /** Returns a {@link NoAnswerException} for a failed authentication. Its message contains the innermost cause. */
    public static NoAnswerException refused(AuthenticationException failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String why = last == failure ? failure.getMessage() : failure.getMessage() + ": " + last.getMessage();
        return NoAnswerException.authenticationFailed(
                "authentication between this process and Kafka failed: " + why, failure);
    }
}
