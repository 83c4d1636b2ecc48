package org.treerename.janitor.admin;

/** What the exit code of {@code rename-admin} says. */
final class ExitCodes {

    /** No leak; or resumed, and closed; or replayed. */
    static final int WELL = 0;

    /** Leaks; or not resumed, or parked again; or not replayed. */
    static final int NOT_WELL = 1;

    static final int WRONG_USE = 2;

    /** Elasticsearch or Kafka did not answer. */
    static final int NO_ANSWER = 3;

    private ExitCodes() {}
}
