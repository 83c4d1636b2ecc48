package org.treerename.store;

/** Thrown if a stored document cannot be decoded: something other than this project has written it. */
public final class DamagedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
