package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the caller can receive no outcome. It is not known whether the request is processed: a worker may have
 * processed it already, or may process it later.
 */
public final class NoOutcomeException extends RuntimeException {

    public NoOutcomeException(String message) {
        this(message, null);
    }

    NoOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
