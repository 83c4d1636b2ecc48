package org.treerename.producer.writer;

/**
 * Thrown if other requests held the locks for longer than the lock wait. The caller holds nothing. The message names
 * the other request, its process and the path.
 */
public final class LockedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LockedException(String message) {
        super(message);
    }
}
