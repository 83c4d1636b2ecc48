package org.treerename.janitor.console;

/**
 * The actions of the console. Each action requires a token. Each call may throw {@link
 * org.treerename.store.NoAnswerException}. After this exception, it is not known whether the action was executed. The
 * caller may request the action again.
 */
interface Operator {

    /**
     * The result of an action.
     *
     * @param done whether the requested state is reached
     * @param words the result as a sentence for people
     */
    record Answer(boolean done, String words) {}

    /** Fences a process, so that the janitors take over its renames. */
    Answer fence(String processId, String by);

    /** Sends the request of a dead letter again, under a new id. */
    Answer replay(String place, String by);

    /** Cancels a rename that is not decided. */
    Answer cancel(String requestId, String by);

    /** Tries again to finish a parked rename. */
    Answer retryParked(String requestId);

    /** Ends a parked rename that cannot finish. The documents that were not moved stay at the source. */
    Answer abandon(String requestId, String by);

    /** Pauses all workers until {@link #unpause}. */
    Answer pause(String by);

    /**
     * Ends a pause of all workers.
     *
     * @param since the time at which the pause began, in ISO 8601 format; a pause that began at another time is not
     *     ended
     */
    Answer unpause(String since);
}
