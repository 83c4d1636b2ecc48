package org.treerename.producer.cli;

/** The exit codes of the commands. */
final class ExitCodes {

    /**
     * Success: the rename is completed, decided or cancelled, or the command found results. With {@code --no-wait}:
     * Kafka has acknowledged the request. For a dry run: the rename could begin now.
     */
    static final int DONE = 0;
    /**
     * Failure: the rename was rejected, failed or cancelled, and nothing was renamed. For a cancellation: the rename
     * was already decided. For a search: there are no results. For a dry run: the rename could not begin now.
     */
    static final int NOT_DONE = 1;

    static final int WRONG_USE = 2;
    /**
     * Kafka or Elasticsearch does not answer, or the outcome or decision did not arrive in time. The rename may still
     * be processed.
     */
    static final int UNKNOWN = 3;
    /** A signal stopped a batch. */
    static final int INTERRUPTED = 4;
    /** The journal does not know the request. */
    static final int NO_SUCH_REQUEST = 5;
    /** A defect of this program. */
    static final int DEFECT = 70;

    private ExitCodes() {}
}
