package org.treerename.producer.cli;

/** The exit codes of the commands. */
final class ExitCodes {

    /**
     * The rename is completed, decided or cancelled, or something was found. With {@code --no-wait}: Kafka has
     * acknowledged the request. Of a dry run: the rename could begin now.
     */
    static final int DONE = 0;
    /**
     * The rename was rejected, failed or cancelled, and nothing was renamed; or it was decided before it could be
     * cancelled; or nothing was found. Of a dry run: something is in its way.
     */
    static final int NOT_DONE = 1;

    static final int WRONG_USE = 2;
    /**
     * Kafka or Elasticsearch does not answer, or no outcome or decision arrived in time. The rename may still be
     * processed.
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
