package org.treerename.stack;

/** A server ended because another process had taken one of its ports. */
final class PortTakenException extends Exception {
    private static final long serialVersionUID = 1;

    PortTakenException(String message) {
        super(message);
    }
}
