package org.treerename.store;

import org.jspecify.annotations.Nullable;

/**
 * A store did not answer, answered only in part, or asked to come again. A write may or may not have taken effect, now or
 * later. Trying again after a pause may help.
 */
public final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean told;

    public NoAnswerException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private NoAnswerException(String message, @Nullable Throwable cause, boolean told) {
        super(message, cause);
        this.told = told;
    }

    /** Nobody was asked, because it is known, and was told when it began, that nobody answers. */
    public static NoAnswerException notAsked(String message) {
        return new NoAnswerException(message, null, true);
    }

    /** Whether somebody has told of it already, once for all who meet it. */
    public boolean isTold() {
        return told;
    }
}
