package org.treerename.worker;

import org.treerename.request.Status;

/** The result of processing one record. */
enum RecordResult {
    COMPLETED("completed"),
    REJECTED("rejected"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    ABANDONED("abandoned"),
    /** The rename is decided, but parked. Its locks are kept, and a janitor tries again. */
    PARKED("parked"),
    /** The record is in the dead letters. No outcome answers the record. */
    DEAD_LETTER("copied to the dead letters"),
    /** A later version of a program wrote the outcome. This version cannot read the outcome. */
    UNREADABLE_OUTCOME("with an outcome of a later version"),
    /** The request has not ended, and Kafka delivers the request again. */
    RELEASED("to be delivered again");

    private final String words;

    RecordResult(String words) {
        this.words = words;
    }

    static RecordResult of(Status status) {
        return switch (status) {
            case COMPLETED -> COMPLETED;
            case REJECTED -> REJECTED;
            case FAILED -> FAILED;
            case CANCELLED -> CANCELLED;
            case ABANDONED -> ABANDONED;
            case OTHER -> UNREADABLE_OUTCOME;
        };
    }

    /** Returns whether the offset of the record may be committed. */
    boolean mayCommit() {
        return this != RELEASED;
    }

    /** Returns the text that follows the number of records with this result in a log line. */
    String words() {
        return words;
    }
}
