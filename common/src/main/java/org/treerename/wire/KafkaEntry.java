package org.treerename.wire;

import org.apache.kafka.common.errors.AuthenticationException;
import org.treerename.store.NoAnswerException;

/** How it is told that Kafka does not let a client in, or that the client does not trust Kafka. */
final class KafkaEntry {

    private KafkaEntry() {}

    static NoAnswerException refused(AuthenticationException failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        String why = last == failure ? failure.getMessage() : failure.getMessage() + ": " + last.getMessage();
        return NoAnswerException.notLetIn("Kafka and this process do not trust each other: " + why, failure);
    }
}
