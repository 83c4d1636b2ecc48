package org.treerename.worker;

import org.treerename.rename.Status;

/** How the carrying of one record has ended. */
enum RecordResult {
    COMPLETED("completed"),
    REJECTED("rejected"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    /** It is decided, its locks are kept, and a janitor goes on with it. */
    PARKED("parked"),
    /** No outcome answers it. */
    DEAD_LETTER("kept as dead letters"),
    /** Its outcome was written by a later version. */
    UNREADABLE_OUTCOME("with outcomes of a later version"),
    /** It has not ended and is delivered again. */
    GIVEN_BACK("given back");

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
        };
    }

    /** Whether the offset of the record may be committed. */
    boolean mayCommit() {
        return this != GIVEN_BACK;
    }

    /** As they follow a number in a log line. */
    String words() {
        return words;
    }
}
