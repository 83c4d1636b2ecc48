package org.treerename.producer.writer;

/**
 * Thrown if other requests held the locks for longer than the lock wait. The caller holds no lock. The message contains
 * the id of one of these requests and the locked path. If this request holds the path, the message also contains the
 * process of the request.
 */
public final class LockedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LockedException(String message) {
        super(message);
    }
}
