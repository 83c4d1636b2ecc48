package org.treerename.janitor.console;

/** What one may do about what goes on, with a token. Any thread may call it; each call may throw {@link
 * org.treerename.store.NoAnswerException}: then it is not known whether it is done, and it may be asked again. */
interface Operator {

    /**
     * What became of it.
     *
     * @param done whether it is as it was wanted
     * @param words for people
     */
    record Answer(boolean done, String words) {}

    /** Ends a process for good. */
    Answer fence(String processId, String by);

    /** Sends the request of a dead letter once more, under a new id. */
    Answer replay(String place, String by);

    /** Calls off a rename that is not decided. */
    Answer cancel(String requestId, String by);
}
