package org.treerename.stack;

/** Thrown if a server ended because another process used one of its ports. */
final class PortTakenException extends Exception {
    private static final long serialVersionUID = 1;

    PortTakenException(String message) {
        super(message);
    }
}
