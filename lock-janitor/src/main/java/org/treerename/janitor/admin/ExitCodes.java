package org.treerename.janitor.admin;

/** The exit codes of {@code rename-admin}. */
final class ExitCodes {

    /** Success: for example no leak, a rename that is resumed and closed, or a replay. */
    static final int WELL = 0;

    /** Failure: for example leaks, a rename that is not resumed or is parked again, or no replay. */
    static final int NOT_WELL = 1;

    static final int WRONG_USE = 2;

    /** Elasticsearch or Kafka did not answer. */
    static final int NO_ANSWER = 3;

    private ExitCodes() {}
}
