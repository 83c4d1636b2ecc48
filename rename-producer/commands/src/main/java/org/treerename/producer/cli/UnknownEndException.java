package org.treerename.producer.cli;

/** Thrown if it is unknown whether the request was processed. The message explains how to continue. */
final class UnknownEndException extends Exception {

    UnknownEndException(String message) {
        super(message);
    }

    /** Returns the message, which is never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
