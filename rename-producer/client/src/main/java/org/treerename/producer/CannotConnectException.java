package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/** Thrown if Kafka does not answer, or if a topic of the installation does not exist. No request was sent. */
public final class CannotConnectException extends RuntimeException {

    CannotConnectException(String message) {
        this(message, null);
    }

    CannotConnectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
