package org.treerename.elastic;

/** An answer has more bytes than whoever asked can take; less may be asked for. */
final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
