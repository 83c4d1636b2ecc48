package org.treerename.store;

/**
 * Thrown if a later version of the programs has written a stored document in a format that this process does not know.
 * This process must not change the document, and must not decide anything without it.
 */
public final class LaterFormatException extends RefusedException {

    private static final long serialVersionUID = 1L;

    public LaterFormatException(String message) {
        super(message);
    }
}
