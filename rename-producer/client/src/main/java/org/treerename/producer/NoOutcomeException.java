package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/** Thrown if the caller can receive no outcome. But a process may have processed the rename, or may process it later. */
public final class NoOutcomeException extends RuntimeException {

    public NoOutcomeException(String message) {
        this(message, null);
    }

    NoOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
