package org.treerename.producer.cli;

/** What a script sees. */
final class ExitCodes {

    /** Completed or, where nothing is waited for, acknowledged by Kafka. */
    static final int DONE = 0;
    /** Rejected or failed: nothing was renamed. */
    static final int NOT_DONE = 1;

    static final int WRONG_USE = 2;
    /** Kafka does not answer, or no outcome came in time; the rename may still be carried out. */
    static final int UNKNOWN = 3;
    /** A defect of this program. */
    static final int DEFECT = 70;

    private ExitCodes() {}
}
