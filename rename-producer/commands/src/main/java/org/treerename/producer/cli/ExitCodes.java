package org.treerename.producer.cli;

import org.treerename.cli.ExitCode;

/** The exit codes of the commands of {@code rename}. */
final class ExitCodes {

    /**
     * Success: the rename is completed or decided, a cancellation was successful, or the command found results. With
     * {@code --no-wait}: the request is acknowledged. For a dry run: the rename could begin now.
     */
    static final int DONE = ExitCode.DONE.code();
    /**
     * Failure: the rename was rejected, failed or cancelled, and nothing was renamed. For a cancellation: the rename
     * was already decided. For a search: there are no results. For a dry run: the rename could not begin now.
     */
    static final int NOT_DONE = ExitCode.NOT_DONE.code();

    static final int WRONG_USE = ExitCode.WRONG_USE.code();
    /**
     * A server did not answer, or the outcome or the decision did not arrive in time. The rename may still be
     * processed.
     */
    static final int UNKNOWN = ExitCode.NO_ANSWER.code();
    /** The journal does not know the request. */
    static final int NO_SUCH_REQUEST = ExitCode.NO_SUCH_REQUEST.code();
    /** The command failed because of a defect in this program. */
    static final int DEFECT = ExitCode.DEFECT.code();
    /** A signal ended the command. */
    static final int INTERRUPTED = ExitCode.INTERRUPTED.code();

    private ExitCodes() {}
}
