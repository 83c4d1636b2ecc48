package org.treerename.store;

import org.jspecify.annotations.Nullable;

/**
 * A store did not answer, answered only in part, or asked to come again. A write may or may not have taken effect, now or
 * later. Trying again after a pause may help.
 */
public final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean told;
    private final boolean notLetIn;

    public NoAnswerException(String message, @Nullable Throwable cause) {
        this(message, cause, false, false);
    }

    private NoAnswerException(String message, @Nullable Throwable cause, boolean told, boolean notLetIn) {
        super(message, cause);
        this.told = told;
        this.notLetIn = notLetIn;
    }

    /** The server is there and does not trust this process, or is not trusted: by its password, say, or a certificate. */
    public static NoAnswerException notLetIn(String message, @Nullable Throwable cause) {
        return new NoAnswerException(message, cause, false, true);
    }

    /** Nobody was asked, because it is known, and was told when it began, that nobody answers. */
    public static NoAnswerException notAsked(String message) {
        return new NoAnswerException(message, null, true, false);
    }

    /** Whether there will hardly be an answer before somebody changes who this process is, or whom it trusts. */
    public boolean isNotLetIn() {
        return notLetIn;
    }

    /** Whether somebody has told of it already, once for all who meet it. */
    public boolean isTold() {
        return told;
    }
}
