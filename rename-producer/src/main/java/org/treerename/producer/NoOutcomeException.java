package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if this future can receive no outcome. The rename itself may have been processed, or may still be processed.
 */
public final class NoOutcomeException extends RuntimeException {

    NoOutcomeException(String message) {
        this(message, null);
    }

    NoOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
