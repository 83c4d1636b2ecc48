package org.treerename.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store did not answer, answered only in part, or requested a retry. A write may have taken effect, may
 * take effect later, or may never take effect. A retry after a pause may succeed.
 */
public final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean logged;
    private final boolean authenticationFailed;

    public NoAnswerException(String message, @Nullable Throwable cause) {
        this(message, cause, false, false);
    }

    private NoAnswerException(String message, @Nullable Throwable cause, boolean logged, boolean authenticationFailed) {
        super(message, cause);
        this.logged = logged;
        this.authenticationFailed = authenticationFailed;
    }

    /**
     * Returns the exception for a failed authentication: the server rejects this process, or this process rejects the
     * server.
     */
    public static NoAnswerException authenticationFailed(String message, @Nullable Throwable cause) {
        return new NoAnswerException(message, cause, false, true);
    }

    /**
     * Returns the exception for a request that was not sent, because the store is known to be unavailable. The cause
     * was already logged.
     */
    public static NoAnswerException notSent(String message) {
        return new NoAnswerException(message, null, true, false);
    }

    /**
     * Returns whether the authentication failed. A retry fails until an operator corrects a password, a key or a
     * certificate.
     */
    public boolean isAuthenticationFailure() {
        return authenticationFailed;
    }

    /** Returns whether the cause has already been logged, once for all callers. */
    public boolean isReported() {
        return logged;
    }
}
