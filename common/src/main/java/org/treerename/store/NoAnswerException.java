package org.treerename.store;

import org.jspecify.annotations.Nullable;

/**
 * A store did not answer, answered only in part, or asked to come again. A write may or may not have taken effect, now or
 * later. Trying again after a pause may help.
 */
public final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NoAnswerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
