package org.treerename.elastic;

/** Thrown if an answer has more bytes than the caller permits. The caller can request fewer documents. */
public final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
