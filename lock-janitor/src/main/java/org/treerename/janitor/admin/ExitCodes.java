package org.treerename.janitor.admin;

import org.treerename.cli.ExitCode;

/** The exit codes of the commands of {@code rename-admin}. */
final class ExitCodes {

    /** Success, for example: no leak exists, a parked rename is now closed, or a dead letter was replayed. */
    static final int WELL = ExitCode.DONE.code();

    /** Failure, for example: leaks exist, a parked rename is not closed, or a dead letter was not replayed. */
    static final int NOT_WELL = ExitCode.NOT_DONE.code();

    static final int WRONG_USE = ExitCode.WRONG_USE.code();

    /** Elasticsearch or Kafka did not answer, or refused the request. */
    static final int NO_ANSWER = ExitCode.NO_ANSWER.code();

    /** A defect in this program. */
    static final int DEFECT = ExitCode.DEFECT.code();

    private ExitCodes() {}
}
