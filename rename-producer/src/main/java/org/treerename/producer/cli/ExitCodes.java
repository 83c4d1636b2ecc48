package org.treerename.producer.cli;

/** What a script sees. */
final class ExitCodes {

    /** Completed or decided; where nothing is waited for, acknowledged by Kafka; cancelled; of a dry run: it could begin now. */
    static final int DONE = 0;
    /** Rejected, failed or cancelled: nothing was renamed; decided before it could be cancelled; of a dry run: something stands in its way. */
    static final int NOT_DONE = 1;

    static final int WRONG_USE = 2;
    /** Kafka, or Elasticsearch to a dry run, does not answer, or no outcome or decision came in time; the rename may still be carried out. */
    static final int UNKNOWN = 3;
    /** A signal ended a batch before its end. */
    static final int INTERRUPTED = 4;
    /** The journal knows no such request. */
    static final int NO_SUCH_REQUEST = 5;
    /** A defect of this program. */
    static final int DEFECT = 70;

    private ExitCodes() {}
}
