package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/** Kafka does not answer, or lacks a topic; nothing was sent. */
public final class CannotConnectException extends RuntimeException {

    CannotConnectException(String message) {
        this(message, null);
    }

    CannotConnectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
