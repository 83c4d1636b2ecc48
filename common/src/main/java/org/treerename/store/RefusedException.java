package org.treerename.store;

/** Thrown if a store understood a request and refused it. The store will refuse the same request again. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
