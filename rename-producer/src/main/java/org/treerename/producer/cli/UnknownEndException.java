package org.treerename.producer.cli;

/** The request may or may not have been carried out; the message says how to find out. */
final class UnknownEndException extends Exception {

    UnknownEndException(String message) {
        super(message);
    }

    /** Never null here. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
