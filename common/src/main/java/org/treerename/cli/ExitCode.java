package org.treerename.cli;

/**
 * The exit codes of all programs. The page {@code deploy/docs/exit-codes.md} has a row for each exit code. A test
 * compares the page with this type.
 */
public enum ExitCode {
    /** The program produced the result that the user wanted. */
    DONE(0, "success"),
    NOT_DONE(1, "the program has finished, but its result is negative, for example a rejected rename or a leak"),
    WRONG_USE(
            2,
            "wrong use: an option, a setting or a file is wrong. A service also ends with this code if, at its start, a"
                    + " server rejects the login or does not grant a right"),
    NO_ANSWER(
            3,
            "no answer from a server, a refused request, or no outcome in time. A rename request that was sent may"
                    + " still be processed"),
    STUCK(4, "a rename made no progress for longer than --stuck-after, and the worker process has ended"),
    NO_SUCH_REQUEST(5, "the journal does not know the request"),
    DEFECT(70, "a defect in the program"),
    /** 128 plus the signal number of SIGINT. */
    INTERRUPTED(130, "ended by SIGINT (Ctrl-C), after the clean-up"),
    /** 128 plus the signal number of SIGTERM. */
    TERMINATED(143, "ended by SIGTERM, after the clean-up");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /**
     * Returns the meaning that applies to all programs. The help of each command contains the exact meaning for that
     * command.
     */
    public String meaning() {
        return meaning;
    }
}
