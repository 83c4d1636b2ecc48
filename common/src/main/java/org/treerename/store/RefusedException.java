package org.treerename.store;

/** Thrown if a store refused a request permanently. A retry of the same request would be refused as well. */
public class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
