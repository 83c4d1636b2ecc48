package org.treerename.writer;

/** Others held the locks for longer than was waited; nothing is held. The message says who, and where. */
public final class LockedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LockedException(String message) {
        super(message);
    }
}
