package org.treerename.producer;

import org.jspecify.annotations.Nullable;

/** Nobody will tell this future how its rename ended. The rename itself may have been, or may still be, carried out. */
public final class NoOutcomeException extends RuntimeException {

    NoOutcomeException(String message) {
        this(message, null);
    }

    NoOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
