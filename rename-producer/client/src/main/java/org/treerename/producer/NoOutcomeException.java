package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the caller can receive no outcome. But a worker may have processed the request, or may process the request
 * later.
 */
public final class NoOutcomeException extends RuntimeException {

    public NoOutcomeException(String message) {
        this(message, null);
    }

    NoOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
