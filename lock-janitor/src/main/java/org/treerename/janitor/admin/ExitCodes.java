package org.treerename.janitor.admin;

import org.treerename.cli.ExitCode;

/** The exit codes of {@code rename-admin}, with their meaning for its commands. */
final class ExitCodes {

    /** Success: for example no leak, a parked rename that is now closed, or a replay. */
    static final int WELL = ExitCode.DONE.code();

    /** Failure: for example leaks, a rename that is not retried or is parked again, or no replay. */
    static final int NOT_WELL = ExitCode.NOT_DONE.code();

    static final int WRONG_USE = ExitCode.WRONG_USE.code();

    /** Elasticsearch or Kafka did not answer, or refused the request. */
    static final int NO_ANSWER = ExitCode.NO_ANSWER.code();

    /** A defect of this program. */
    static final int DEFECT = ExitCode.DEFECT.code();

    private ExitCodes() {}
}
