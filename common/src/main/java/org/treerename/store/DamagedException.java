package org.treerename.store;

/**
 * Thrown if a stored document cannot be decoded. Only a program outside this project can have written a damaged
 * document.
 */
public final class DamagedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
