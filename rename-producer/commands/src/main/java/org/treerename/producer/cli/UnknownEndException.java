package org.treerename.producer.cli;

/** Thrown if the request may or may not have been processed. The message explains how to find out. */
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
